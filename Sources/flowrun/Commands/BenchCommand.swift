import FlowEngine
import FlowSpec
import JSONSyntax

/// What `flowrun bench FLOW` does.
enum BenchCommand {
  @Sendable static func perform(_ invocation: Invocation, on console: Console) throws(Failure) -> ExitCode {
    try console.tellingFailure(asJSON: invocation.has(.jsonFigures)) { () throws(Failure) in
      try measure(invocation, on: console)
    }
  }

  private static func measure(_ invocation: Invocation, on console: Console) throws(Failure) -> ExitCode {
    let path = invocation.operands[0]
    var documents = Documents()
    let flow = try LoadedFlow(path, documents: &documents, toBe: .measured).flow
    let world = World(flow)
    let outcome = Running.runAutomatically(world, recording: true)
    guard outcome.succeeded else {
      throw Failure(
        .failed, "the automatic run of \(path) ends badly: there is nothing to measure", diagnostics: outcome.problems)
    }
    let figures = try Figures(path, world, outcome)
    try console.write(invocation.has(.jsonFigures) ? figures.json : figures.text)
    return .done
  }
}

/// What was measured: the medians of several rounds.
private struct Figures {
  static let rounds = 5
  static let secondsPerRound = 0.2
  /// A flow that has no more is explored to its end: at the beginning, where most is new, it goes slower.
  static let mostSnapshots = 300_000

  let all: [(name: String, value: Double, meaning: String)]

  init(_ path: String, _ world: World, _ outcome: RunOutcome) throws(Failure) {
    let load = try Self.median { () throws(Failure) in
      var documents = Documents()
      return try Self.seconds { () throws(Failure) in _ = try LoadedFlow(path, documents: &documents, toBe: .measured)
      }
    }
    let plain = Self.median { Self.rate { _ = Running.runAutomatically(world, recording: false) } }
    let traced = Self.median {
      Self.rate {
        let outcome = Running.runAutomatically(world, recording: true)
        _ = TraceWriter.trace(of: outcome, scenario: nil)
      }
    }
    let snapshots = Self.median { Self.snapshotRate(world.flow) }
    all = [
      ("loadMillis", load * 1000, "to read and check the flow, in milliseconds"),
      ("runsPerSecond", plain, "automatic runs a second, without a trace"),
      ("runsPerSecondTraced", traced, "the same with the trace encoded and thrown away"),
      ("transitionsPerRun", Double(outcome.transitions), "transitions of app and services in one run"),
      ("snapshotsPerSecond", snapshots, "snapshots explored a second, among the first \(Self.mostSnapshots)"),
      ("peakMiB", Self.peakMiB, "the most memory that all of this took"),
    ]
  }

  /// How many snapshots are gone on from in a second.
  private static func snapshotRate(_ flow: Flow) -> Double {
    var (expanded, taken) = (0, 0.0)
    while taken < secondsPerRound {
      taken += seconds { expanded += Exploration.of(flow, most: mostSnapshots).expanded }
    }
    return Double(expanded) / taken
  }

  private static func median<Problem: Error>(_ round: () throws(Problem) -> Double) throws(Problem) -> Double {
    var values: [Double] = []
    for _ in 0..<rounds { values.append(try round()) }
    return values.sorted()[rounds / 2]
  }

  /// How often a piece of work is done in a second, by doing it until a round is over.
  private static func rate(_ work: () -> Void) -> Double {
    var count = 0
    var batch = 1
    var taken = 0.0
    while taken < secondsPerRound {
      taken += seconds { for _ in 0..<batch { work() } }
      count += batch
      batch *= 2
    }
    return Double(count) / taken
  }

  private static func seconds<Problem: Error>(_ work: () throws(Problem) -> Void) throws(Problem) -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    try work()
    let (seconds, attoseconds) = start.duration(to: clock.now).components
    return Double(seconds) + Double(attoseconds) / 1e18
  }

  /// Linux counts in KiB, other systems in bytes.
  private static var peakMiB: Double {
    var usage = rusage()
    // RUSAGE_SELF, which has another type on every system.
    getrusage(0, &usage)
    #if os(Linux)
      return Double(usage.ru_maxrss) / 1024
    #else
      return Double(usage.ru_maxrss) / 1_048_576
    #endif
  }
}

extension Figures {
  var json: String {
    var writer = JSONWriter(.pretty)
    writer.beginObject()
    for figure in all {
      writer.name(figure.name)
      writer.double(rounded(figure.value))
    }
    writer.endObject()
    return writer.text + "\n"
  }

  var text: String {
    let numbers = all.map { "\(rounded($0.value))" }
    let (names, width) = (all.map(\.name.count).max() ?? 0, numbers.map(\.count).max() ?? 0)
    return zip(all, numbers).map { figure, number in
      let name = figure.name + String(repeating: " ", count: names - figure.name.count)
      return "\(name)  \(String(repeating: " ", count: width - number.count))\(number)  \(figure.meaning)\n"
    }.joined()
  }

  /// More digits would be noise.
  private func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}

extension RunOutcome {
  fileprivate var transitions: Int {
    happenings.count { if case .transition = $0.fact { true } else { false } }
  }
}
