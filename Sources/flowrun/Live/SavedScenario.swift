import Expressions
import FlowEngine
import FlowSpec

/// The scenario that what is done by hand is saved as.
struct SavedScenario {
  private let path: String
  private let loaded: LoadedFlow
  let name: String
  /// What differs from the flow's own.
  let config: [(name: String, value: Value)]

  /// `nil` where none is asked for.
  ///
  /// `earlier` is the one that it goes on after.
  init?(
    _ invocation: Invocation, of loaded: LoadedFlow, config: [Int: Value], after earlier: Scenario?
  ) throws(Failure) {
    guard let path = invocation.value(.save) else { return nil }
    guard let name = Paths.stem(of: Paths.name(of: path), ending: ".json"), !name.isEmpty else {
      throw Failure(.usage, "--save takes the name of a file that ends in .json, and not \(printable(path))")
    }
    guard Files.kind(of: path) == nil else {
      throw Failure(.usage, "\(path) is there already", help: "save to another file, or remove it first")
    }
    try Files.expectWritable(path)
    if ScenarioFolder.hasFlow(path) {
      let other = ScenarioFolder.flow(ofScenarioAt: path)
      guard Files.real(other) == Files.real(loaded.path) else {
        throw Failure(.usage, "\(path) would be a scenario of \(other)", help: "save to the folder of \(loaded.path)")
      }
    }
    let keys = loaded.flow.app.config
    if let key = config.keys.sorted().first(where: { keys[$0].secret }) {
      throw Failure(
        .usage, "--save does not go with the config \"\(keys[key].name)\", which is secret",
        help: "a scenario is for everybody who reads the flow")
    }
    if let earlier { try Self.check(earlier, of: loaded, before: name) }
    (self.path, self.loaded, self.name) = (path, loaded, name)
    self.config = config.sorted { $0.key < $1.key }.map { (keys[$0.key].name, $0.value) }
  }

  /// What it is for, where an invocation asks for it without need.
  static func check(_ invocation: Invocation) throws(Failure) {
    guard invocation.has(.save) else { return }
    guard invocation.has(.interactive) else {
      throw Failure(.usage, "--save is for --interactive: what a person does is saved as a scenario")
    }
    if invocation.has(.live) {
      throw Failure(.usage, "--save does not go with --live: in a scenario everything is simulated")
    }
    if invocation.has(.store) {
      throw Failure(.usage, "--save does not go with --store: a scenario says itself what is stored")
    }
  }

  /// A scenario finds the one that it goes on after by its name, in its flow's folder, and is none of those before it.
  private static func check(_ earlier: Scenario, of loaded: LoadedFlow, before name: String) throws(Failure) {
    if let own = loaded.otherThan(earlier) {
      throw Failure(
        .usage, "--save goes on after a scenario of the flow's own folder only",
        help: "\(own) would be the one that it names")
    }
    guard try !loaded.lineage(of: earlier).contains(name) else {
      throw Failure(
        .usage,
        "a scenario \"\(name)\" cannot go on after \"\(earlier.name)\", which goes on after \"\(name)\" or is it",
        help: "save to a file with another name")
    }
  }

  /// Writes what was done, and says what can be done with it.
  func write(_ document: [UInt8], _ repetition: Recording.Repetition, on console: Console) throws(Failure) {
    guard Files.kind(of: path) == nil else {
      try console.write(document, to: .errors)
      throw Failure(.noFile, "\(path) is there by now, and what was done stands here instead")
    }
    try Files.write(document, to: path)
    let folders = [ScenarioFolder.flow(ofScenarioAt: path), loaded.path].map(Files.real)
    let test = "flowrun test --accept \(quoted(path)) makes its trace the golden one"
    let run = "flowrun \(quoted(loaded.path)) --scenario \(quoted(path)) runs it"
    let next = folders[0] == folders[1] ? test : run
    let words =
      switch repetition {
      case .comesThere: "; \(next)"
      case .goesOn(let end):
        ", and goes on\(end.map { " to \"\($0)\"" } ?? ""), since a run of it lets come what is to come; \(next)"
      case .fails: ", and fails as this run did; \(run)"
      case .goesElsewhere(let here, let there):
        ", as far as a scenario can say it; a run of it goes another way"
          + (here.map { ": here \($0), there \(there ?? "it does not")" } ?? "") + "; \(run)"
      }
    try console.write("flowrun: \(printable(path + " has what was done" + words))\n", to: .errors)
  }
}
