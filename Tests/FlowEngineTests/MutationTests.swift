import FlowSpec
import Foundation
import Testing

@testable import FlowEngine

/// Whatever becomes of a document that we ship, it loads or says what is wrong, and what loads runs to an end.
///
/// A sample of what `.ci/mutants` goes through in full.
@Suite struct MutationTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The documents that a flow is loaded from, and one of its scenarios.
  private static let teos = [
    "flows/teos-device.json", "flows/services/oauth-server.json", "flows/services/txserver.json",
    "flows/services/teosapi.json", "flows/teos-device/submit-unanswered.json",
  ]
  private static let sample = [
    "sample.json", "services/auth.json", "services/api.json", "scenario.json",
  ].map { "Tests/FlowSpecTests/Sample/\($0)" }

  @Test(arguments: teos) func aMutantOfAShippedDocumentIsNoCrash(_ path: String) throws {
    try checkMutants(of: path, among: Self.teos, every: 1501)
  }

  @Test(arguments: sample) func aMutantOfTheSampleIsNoCrash(_ path: String) throws {
    try checkMutants(of: path, among: Self.sample, every: 601)
  }

  @Test(arguments: teos + sample) func aDocumentCutOffIsNoCrash(_ path: String) throws {
    let set = Self.sample.contains(path) ? Self.sample : Self.teos
    let bytes = try Self.bytes(path)
    // All but the line end at its end is needed.
    for count in stride(from: 0, to: bytes.count - 1, by: 607) {
      let found = try diagnostics(of: Array(bytes.prefix(count)), as: path, among: set)
      #expect(found.contains { $0.severity == .error }, "\(path) cut off at \(count)")
    }
  }

  @Test func everyScenarioCutOffIsNoCrash() throws {
    let shelf = try Self.shelf(Self.teos)
    let flow = try #require(Self.flow(Self.teos[0], shelf))
    for name in try FileManager.default.contentsOfDirectory(atPath: Self.root.path + "/flows/teos-device").sorted()
    where name.hasSuffix(".json") {
      let bytes = try Self.bytes("flows/teos-device/\(name)")
      for count in stride(from: 0, to: bytes.count - 1, by: 23) {
        var cut = shelf
        cut.documents["s"] = Array(bytes.prefix(count))
        #expect(Loading.scenario(at: "s", for: flow, reader: &cut).value == nil, "\(name) cut off at \(count)")
      }
    }
  }

  @Test func aTraceCutOffOrMutatedIsNoCrash() throws {
    let bytes = try Self.bytes("flows/teos-device/refresh-unreachable.trace.jsonl")
    for count in stride(from: 0, to: bytes.count, by: 311) { read(Array(bytes.prefix(count)), beside: bytes) }
    for grain in Mutation.Grain.allCases {
      for mutant in Mutation(of: bytes, grain, every: 251) { read(mutant, beside: bytes) }
    }
  }

  @Test(arguments: ["9223372036854775807", "-9223372036854775808", "-1"])
  func aTraceWithATimeBeyondAllBoundsIsNoCrash(_ number: String) throws {
    let bytes = try Self.bytes("flows/teos-device/refresh-unreachable.trace.jsonl")
    let text = String(decoding: bytes, as: UTF8.self)
    for (old, new) in [
      (#""at":0,"#, #""at":\#(number),"#), (#""by":"7200s""#, #""by":"\#(number)e9s""#),
      (#""by":"7200s""#, #""by":"-infs""#),
    ] {
      #expect(text.contains(old))
      read(Array(text.replacing(old, with: new).utf8), beside: bytes)
    }
  }

  private func read(_ bytes: [UInt8], beside golden: [UInt8]) {
    if let trace = try? Trace(reading: bytes) { #expect(!Timeline(trace).text.isEmpty) }
    #expect((GoldenComparison.compare(golden: golden, run: bytes) == .matches) == (bytes == golden))
  }

  private func checkMutants(of path: String, among paths: [String], every step: Int) throws {
    let bytes = try Self.bytes(path)
    for grain in Mutation.Grain.allCases {
      // Another beginning for each grain, so that not the same ways fall on the same tokens.
      for mutant in Mutation(of: bytes, grain, every: step, from: grain == .json ? 3 : 0) {
        for diagnostic in try diagnostics(of: mutant, as: path, among: paths) { _ = diagnostic.message }
      }
    }
  }

  /// What is found in a set of documents with one of them changed; what loads is run.
  private func diagnostics(of bytes: [UInt8], as path: String, among paths: [String]) throws -> [Diagnostic] {
    var shelf = try Self.shelf(paths)
    shelf.documents[path] = bytes
    let loaded = Loading.flow(at: paths[0], reader: &shelf)
    #expect((loaded.value == nil) == loaded.diagnostics.contains { $0.severity == .error })
    guard let flow = loaded.value else { return loaded.diagnostics }
    let scenario = Loading.scenario(at: paths[paths.count - 1], for: flow, reader: &shelf)
    for chosen in [nil, scenario.value] {
      let outcome = Running.run(flow, scenario: chosen) { _ in nil }
      let trace = TraceWriter.trace(of: outcome, scenario: chosen)
      #expect(throws: Never.self) { try Trace(reading: trace) }
    }
    return loaded.diagnostics + scenario.diagnostics
  }

  private static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: root.appendingPathComponent(path)))
  }

  private static func shelf(_ paths: [String]) throws -> ByteShelf {
    ByteShelf(documents: Dictionary(uniqueKeysWithValues: try paths.map { ($0, try bytes($0)) }))
  }

  private static func flow(_ path: String, _ shelf: ByteShelf) -> Flow? {
    var shelf = shelf
    return Loading.flow(at: path, reader: &shelf).value
  }
}

/// Documents in memory, as bytes that need not be text.
private struct ByteShelf: DocumentReader {
  var documents: [String: [UInt8]]
  func read(_ path: String) -> [UInt8]? { documents[path] }
}
