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
    for server in servers { server.terminate() }
    try? FileManager.default.removeItem(at: folder)
  }

  /// Starts a server that answers each `GET`, and ends with this.
  func serve(_ certificate: Certificate) throws -> (url: String, process: Process) {
    switch certificate {
    case .good: try sign(days: 2, for: "name")
    case .expired: try sign(days: -1, for: "name")
    case .otherName: try sign(days: 2, for: "otherName")
    case .selfSigned: try make("server", "-x509", "-days", "2", "-addext", "subjectAltName=IP:127.0.0.1")
    }
    let output = Pipe()
    let server = try Command.start(
      "openssl",
      ["s_server", "-accept", "127.0.0.1:0", "-cert", path("server.pem"), "-key", path("server.key"), "-www"],
      output: output)
    servers.append(server)
    var said = ""
    while !said.contains("ACCEPT") || said.last != "\n" {
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { throw Command.Failed(words: said) }
      said += String(decoding: more, as: UTF8.self)
    }
    let authority = said.split(separator: " ").last.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) } ?? ""
    return ("https://\(authority)", server)
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

enum Command {
  struct Failed: Error { var words: String }

  static func path(of name: String) -> String? {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return folders.map { "\($0)/\(name)" }.first(where: FileManager.default.isExecutableFile)
  }

  static func start(_ name: String, _ arguments: [String], output: Pipe) throws -> Process {
    guard let path = path(of: name) else { throw Failed(words: "no \(name)") }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
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
