import Foundation

enum Certificate {
  case good
  case selfSigned
  case expired
  case otherName
}

/// An authority of the test's own, and servers with certificates of every kind; all in a folder that goes away.
final class Certificates {
  private let folder: URL
  private var servers: [Process] = []

  /// The file with the authority's certificate.
  var authority: String { path("authority.pem") }
  /// The file with its private key alone.
  var key: String { path("authority.key") }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("flowrun-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    try make("authority", "-x509", "-days", "2")
    try Data("subjectAltName=IP:127.0.0.1\n".utf8).write(to: folder.appendingPathComponent("name"))
    try Data("subjectAltName=DNS:other.example\n".utf8).write(to: folder.appendingPathComponent("otherName"))
  }

  deinit {
    // A process inherits the signals that the thread that starts it has blocked; this one cannot be.
    for server in servers { kill(server.processIdentifier, SIGKILL) }
    try? FileManager.default.removeItem(at: folder)
  }

  /// Starts a server that answers each `GET`, and ends with this; options are those of `openssl s_server`.
  func serve(_ certificate: Certificate, _ options: String...) throws -> (url: String, process: Process) {
    let speaker = try start(certificate, ["-www"] + options)
    return (speaker.url, speaker.process)
  }

  /// Starts a server that says what it is told to, and ends with this; it may offer protocols.
  func speak(_ protocols: String? = nil) throws -> Speaker { try start(.good, protocols.map { ["-alpn", $0] } ?? []) }

  private func start(_ certificate: Certificate, _ options: [String]) throws -> Speaker {
    switch certificate {
    case .good: try sign(days: 2, for: "name")
    case .expired: try sign(days: -1, for: "name")
    case .otherName: try sign(days: 2, for: "otherName")
    case .selfSigned: try make("server", "-x509", "-days", "2", "-addext", "subjectAltName=IP:127.0.0.1")
    }
    let speaker = try Speaker(
      ["s_server", "-accept", "127.0.0.1:0", "-cert", path("server.pem"), "-key", path("server.key")] + options)
    servers.append(speaker.process)
    return speaker
  }

  /// A file with the authority's certificate, rewritten.
  func rewritten(_ rewrite: (String) -> String) throws -> String {
    let text = rewrite(try String(contentsOfFile: authority, encoding: .utf8))
    let file = path("rewritten-\(UUID())")
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    return file
  }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  private func make(_ name: String, _ arguments: String...) throws {
    try Command.run(
      "openssl",
      [
        "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=\(name)", "-keyout",
        path("\(name).key"), "-out", path("\(name).pem"),
      ] + arguments)
  }

  private func sign(days: Int, for name: String) throws {
    try make("server")
    try Command.run(
      "openssl",
      [
        "x509", "-req", "-in", path("server.pem"), "-CA", authority, "-CAkey", path("authority.key"), "-CAcreateserial",
        "-days", "\(days)", "-extfile", path(name), "-out", path("server.pem"),
      ])
  }
}

/// A server over TLS, for one connection at a time.
final class Speaker {
  let process: Process
  private(set) var url = ""
  private let input = Pipe()
  private let output = Pipe()
  private var heard = ""

  fileprivate init(_ arguments: [String]) throws {
    process = try Command.start("openssl", arguments, input: input, output: output)
    url = "https://" + (try hear("ACCEPT").split(separator: " ").last ?? "")
  }

  /// Says something in a record of its own.
  func say(_ text: String) {
    Thread.sleep(forTimeInterval: 0.05)
    input.fileHandleForWriting.write(Data(text.utf8))
  }

  /// Waits until the server has told of a line with this; gives all that it told before, and up to its end.
  @discardableResult
  func hear(_ word: String) throws -> String {
    while true {
      if let start = heard.range(of: word), let end = heard[start.upperBound...].firstIndex(where: \.isNewline) {
        defer { heard = String(heard[end...]) }
        return String(heard[..<end])
      }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { throw Command.Failed(words: heard) }
      heard += String(decoding: more, as: UTF8.self)
    }
  }
}

enum Command {
  struct Failed: Error { var words: String }

  static func path(of name: String) -> String? {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return folders.map { "\($0)/\(name)" }.first(where: FileManager.default.isExecutableFile)
  }

  static func start(_ name: String, _ arguments: [String], input: Pipe? = nil, output: Pipe) throws -> Process {
    guard let path = path(of: name) else { throw Failed(words: "no \(name)") }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.standardInput = input ?? FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    try process.run()
    return process
  }

  static func run(_ name: String, _ arguments: [String]) throws {
    let output = Pipe()
    let process = try start(name, arguments, output: output)
    let words = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    if process.terminationStatus != 0 { throw Failed(words: String(decoding: words, as: UTF8.self)) }
  }
}
