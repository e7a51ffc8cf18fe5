import Expressions
import FlowEngine
import FlowSpec
import JSONSyntax

/// Loads documents that stand one behind another, and runs and tells what loads.
///
/// Each stands below a line `=== path`: `flow.json`, the models that it names, `scenario.json`.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  var shelf = Shelf(UnsafeBufferPointer(start: start, count: count))
  for path in shelf.documents.keys.sorted() where path != "scenario.json" {
    check(Loading.service(at: path, reader: &shelf).diagnostics)
  }
  let flow = Loading.flow(at: "flow.json", reader: &shelf)
  check(flow.diagnostics)
  guard let flow = flow.value else { return 0 }
  let scenario = Loading.scenario(at: "scenario.json", for: flow, reader: &shelf)
  check(scenario.diagnostics)
  run(flow, nil)
  if let scenario = scenario.value { run(flow, scenario) }
  return 0
}

/// LibFuzzer's own mutation, of bytes.
@_silgen_name("LLVMFuzzerMutate")
private func mutateBytes(_ start: UnsafeMutablePointer<UInt8>, _ count: Int, _ most: Int) -> Int

/// Mostly moves whole tokens about: what chance does to single bytes is seldom JSON any more.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(_ start: UnsafeMutablePointer<UInt8>, _ count: Int, _ most: Int, _ seed: CUnsignedInt) -> Int {
  var chance = Chance(state: UInt64(seed) | 1 << 40)
  guard chance.below(4) > 0 else { return mutateBytes(start, count, most) }
  var bytes = Array(UnsafeBufferPointer(start: start, count: count))
  for _ in 0...chance.below(3) { moveToken(in: &bytes, &chance) }
  bytes = Array(bytes.prefix(most))
  for (index, byte) in bytes.enumerated() { start[index] = byte }
  return bytes.count
}

private func moveToken(in bytes: inout [UInt8], _ chance: inout Chance) {
  let tokens = Mutation.tokens(of: bytes, chance.below(2) == 0 ? .json : .words)
  guard !tokens.isEmpty else { return }
  let (from, to) = (tokens[chance.below(tokens.count)], tokens[chance.below(tokens.count)])
  let moved = Array(bytes[from])
  switch chance.below(4) {
  case 0: bytes.removeSubrange(to)
  case 1: bytes.insert(contentsOf: moved, at: to.lowerBound)
  default: bytes.replaceSubrange(to, with: moved)
  }
}

/// A small generator of numbers that look random (Marsaglia's xorshift), so that a run is made by its seed alone.
private struct Chance {
  var state: UInt64

  mutating func below(_ bound: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state % UInt64(bound))
  }
}

private func check(_ diagnostics: [Diagnostic]) {
  _ = DiagnosticRenderer().text(of: diagnostics)
}

private func run(_ flow: Flow, _ scenario: Scenario?) {
  let outcome = Running.run(flow, scenario: scenario) { $0 == scenario?.name ? scenario : nil }
  check(outcome.problems)
  let trace = TraceWriter.trace(of: flow, scenario: scenario, outcome: outcome)
  guard let read = try? Trace(reading: trace) else { preconditionFailure("a trace that was written can be read") }
  _ = Timeline(read).text
  let world = World(flow)
  _ = world.canonical(outcome.snapshot)
  for choice in world.choices(in: outcome.snapshot).prefix(20) { _ = world.take(choice, in: outcome.snapshot) }
}

private struct Shelf: DocumentReader {
  var documents: [String: [UInt8]] = [:]

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    var path: String?
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      if line.starts(with: "=== ".utf8) {
        path = String(decoding: line.dropFirst(4), as: UTF8.self)
      } else if let path {
        documents[path, default: []] += line + [UInt8(ascii: "\n")]
      }
    }
  }

  func read(_ path: String) -> [UInt8]? { documents[path] }
}
