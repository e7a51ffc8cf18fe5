import FlowEngine
import JSONSyntax

/// How the tests of all flows went, for machines: one JSON object, or a file for CI servers.
struct TestResults {
  enum Word: String {
    case ok, missing, changed, orphan, failed, invalid, accepted, removed, untested

    var isGood: Bool { self == .ok || self == .accepted }
  }

  struct Test {
    /// The scenario, the flow or the golden that it is about.
    let path: String
    let word: Word
    /// What is wrong in a sentence; empty when nothing is.
    var message = ""
    /// What is wrong, in plain text; empty when nothing is.
    var details = ""

    /// The name by which `--scenario` finds it.
    var scenario: String? {
      Paths.stem(of: Paths.name(of: path), ending: ScenarioFolder.goldenEnding)
        ?? Paths.stem(of: Paths.name(of: path), ending: ".json")
    }
  }

  struct Flow {
    let path: String
    /// How many were tested, or the one run of a flow without any.
    var scenarios = 0
    /// With what is no scenario, and wrong: the flow itself, a golden.
    var tests: [Test] = []
    /// What no golden reaches; `nil` where not the whole flow was tested.
    var uncovered: Coverage.Uncovered?

    var passed: Int { tests.count { $0.word.isGood } }
    var failed: [Test] { tests.filter { !$0.word.isGood } }
  }

  private(set) var flows: [Flow] = []

  var passed: Int { flows.reduce(0) { $0 + $1.passed } }
  var failed: Int { flows.reduce(0) { $0 + $1.failed.count } }

  /// How often a word was said.
  func count(of word: Word) -> Int { flows.reduce(0) { $0 + $1.tests.count { $0.word == word } } }

  mutating func add(_ test: Test, of flow: String) {
    flows[index(of: flow)].tests.append(test)
  }

  mutating func addScenario(of flow: String) { flows[index(of: flow)].scenarios += 1 }

  mutating func add(_ uncovered: Coverage.Uncovered, of flow: String) { flows[index(of: flow)].uncovered = uncovered }

  private mutating func index(of flow: String) -> Int {
    if let index = flows.firstIndex(where: { $0.path.utf8.elementsEqual(flow.utf8) }) { return index }
    flows.append(Flow(path: flow))
    return flows.count - 1
  }
}

extension TestResults {
  /// `{"flows": [{"flow", "scenarios", "passed", "failed", "uncovered"}]}`.
  ///
  /// `flow` is the path of its document. `failed` says of each what is wrong: `scenario` (null where it is about the
  /// flow), `path`, `how` in one word, `message` in a sentence, `details` in full. `uncovered` is null where not the
  /// whole flow was tested.
  var json: String {
    var writer = JSONWriter(.pretty)
    writer.beginObject()
    writer.member("flows", flows) { write($0, to: &$1) }
    writer.endObject()
    return writer.text + "\n"
  }

  private func write(_ flow: Flow, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("flow", flow.path)
    writer.member("scenarios", flow.scenarios)
    writer.member("passed", flow.passed)
    writer.member("failed", flow.failed) { write($0, of: flow, to: &$1) }
    writer.name("uncovered")
    if let uncovered = flow.uncovered {
      writer.beginObject()
      for (name, items) in uncovered.kinds { writer.member(name, items) { $1.string($0) } }
      writer.endObject()
    } else {
      writer.null()
    }
    writer.endObject()
  }

  private func write(_ test: Test, of flow: Flow, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("scenario", test.path == flow.path ? nil : test.scenario)
    writer.member("path", test.path)
    writer.member("how", test.word.rawValue)
    writer.member("message", test.message)
    writer.member("details", test.details)
    writer.endObject()
  }
}

extension Coverage.Uncovered {
  /// What is not reached, by its kind.
  var kinds: [(name: String, items: [String])] {
    [("refs", refs), ("states", states), ("transitions", transitions), ("replies", replies)]
  }
}
