import Foundation
import Testing

/// Begins a line of the shell whose program may read and write no more than others: root may, unless it gives that up.
let asAnybody = geteuid() == 0 ? "setpriv --bounding-set=-dac_override,-dac_read_search " : ""

/// The built program, started as a shell would.
struct Flowrun {
  struct Result {
    var code: Int32
    var output: String
    var errors: String
  }

  /// Where it runs; relative paths are below its folder.
  let workshop: Workshop

  /// The program stands beside the tests that were built with it: any other may be an older one.
  static let program: URL = {
    // On a Mac the tests are loaded by a program of the system, which is told where they are.
    for argument in ProcessInfo.processInfo.arguments where argument.contains(".xctest") {
      var tests = URL(fileURLWithPath: argument)
      while tests.pathExtension != "xctest" { tests.deleteLastPathComponent() }
      let beside = tests.deletingLastPathComponent().appendingPathComponent("flowrun")
      if FileManager.default.isExecutableFile(atPath: beside.path) { return beside }
    }
    fatalError("flowrun does not stand beside the tests: \(ProcessInfo.processInfo.arguments)")
  }()

  func run(_ arguments: [String]) throws -> Result { try run(Self.program, arguments, [:]) }

  func callAsFunction(_ arguments: String..., environment: [String: String] = [:]) throws -> Result {
    try run(Self.program, arguments, environment)
  }

  /// Runs a line of the shell in which `$FLOWRUN` is the program.
  func shell(_ line: String) throws -> Result {
    try run(URL(fileURLWithPath: "/bin/sh"), ["-c", line], ["FLOWRUN": Self.program.path])
  }

  private func run(_ program: URL, _ arguments: [String], _ environment: [String: String]) throws -> Result {
    // The workshop's folder goes when the workshop does.
    defer { withExtendedLifetime(workshop) {} }
    let folder = workshop.folder
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = folder
    var variables = ProcessInfo.processInfo.environment.filter { !["CI", "NO_COLOR"].contains($0.key) }
    variables.merge(environment) { $1 }
    process.environment = variables
    process.standardInput = FileHandle.nullDevice
    // Files, not pipes: nobody has to empty them while the program runs.
    let names = ["out", "errors"].map { folder.appendingPathComponent(".\($0)-\(UUID().uuidString)") }
    for name in names { _ = FileManager.default.createFile(atPath: name.path, contents: nil) }
    process.standardOutput = try FileHandle(forWritingTo: names[0])
    process.standardError = try FileHandle(forWritingTo: names[1])
    try process.run()
    process.waitUntilExit()
    let texts = try names.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
    for name in names { try FileManager.default.removeItem(at: name) }
    return Result(code: process.terminationStatus, output: texts[0], errors: texts[1])
  }
}

/// The files of the project.
enum Repository {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: root.appendingPathComponent(path)), as: UTF8.self)
  }
}

/// A folder of its own for one test, with the flow `hello` in it or another; gone when the test is over.
final class Workshop: Sendable {
  let folder: URL

  init(of documents: String = "Tests/Flows") throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("flowrun-\(UUID().uuidString)")
    try FileManager.default.copyItem(at: Repository.root.appendingPathComponent(documents), to: folder)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var flowrun: Flowrun { Flowrun(workshop: self) }

  func read(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.appendingPathComponent(path)), as: UTF8.self)
  }

  func write(_ text: String, to path: String) throws {
    let url = folder.appendingPathComponent(path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  /// Writes a script that can be run.
  ///
  /// Another process makes the file: what this one has open for writing is open in whatever another test starts at the same
  /// time, and cannot be run until that is over.
  func writeProgram(_ text: String, to path: String) throws {
    try write(text, to: path + ".text")
    let copying = try Process.run(
      URL(fileURLWithPath: "/bin/sh"),
      arguments: ["-c", "cp \"$1.text\" \"$1\" && chmod 755 \"$1\"", "sh", folder.appendingPathComponent(path).path])
    copying.waitUntilExit()
  }

  func remove(_ path: String) throws { try FileManager.default.removeItem(at: folder.appendingPathComponent(path)) }

  func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.appendingPathComponent(path).path)
  }

  /// Puts other words in place of some in a document.
  func replace(_ words: String, with others: String, in path: String) throws {
    let text = try read(path)
    #expect(text.contains(words))
    try write(text.replacingOccurrences(of: words, with: others), to: path)
  }
}

extension Workshop {
  /// One with these scenarios of its flow as well, by their names, and whose goldens were accepted.
  static func accepted(with scenarios: [String: String] = [:]) throws -> Workshop {
    let workshop = try Workshop()
    for (name, text) in scenarios { try workshop.write(text, to: "hello/\(name).json") }
    let result = try workshop.flowrun("test", ".", "--accept")
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    return workshop
  }

  /// One with two scenarios, whose goldens were accepted.
  static func acceptedTwice() throws -> Workshop {
    try accepted(with: ["again": #"{"scenario": "again", "ends": "greeted"}"#])
  }

  /// Runs a line of the shell in it, and looks at what it says.
  func checkShell(
    _ line: String, code: Int32, says words: [String], never others: [String] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let result = try flowrun.shell(line)
    let text = result.output + result.errors
    #expect(result.code == code, "\(result)", sourceLocation: sourceLocation)
    for words in words { #expect(text.contains(words), "\(text)", sourceLocation: sourceLocation) }
    for words in others { #expect(!text.contains(words), "\(text)", sourceLocation: sourceLocation) }
  }
}
