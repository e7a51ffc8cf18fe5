import Expressions
import FlowSpec

/// Drives a world from its start to the end of a run: takes what can be delivered, lets faults strike, and asks the
/// person, scripted or automatic, when it is the person's turn.
struct Driver: ~Copyable {
  let world: World
  let scenario: Scenario?
  /// Whether what happens is kept, for a trace.
  let isRecording: Bool
  let startedAt: Timestamp
  var step: Step
  var problems: [Diagnostic] = []
  var faults: FaultCounter
  var person = AutomaticPerson()
  /// A kill that waits for a step that it can cut off after so many durable writes.
  var armedKill: (keeping: Int, site: Site)?
  /// The app came into a goal since the automatic person last looked.
  var enteredGoal = false
  /// Whether a snapshot is one that is looked for, and the first of them that the run came to.
  var isSought: ((Snapshot) -> Bool)?
  private(set) var passed: Snapshot?
  /// An error stopped the run.
  var isStopped = false
  private var choicesTaken = 0
  /// A step of the script lets time pass, and timers go off.
  var isAdvancing = false
  /// What the keys were set to so far weighs so much, up to which change.
  private var (weight, weighed) = (0, 0)

  /// How many choices a run may take, and how many happenings it may tell, before it is said not to end.
  static let mostChoices = 100_000
  static let mostHappenings = 1_000_000
  /// What a run may set its keys to, all values together: each is told whole.
  static let mostSet = 64 << 20
  /// As many faults that never struck are told as findings of a document.
  static let mostProblems = 1_000

  init(world: World, snapshot: consuming Snapshot, scenario: Scenario?, recording: Bool) {
    self.world = world
    isRecording = recording
    startedAt = snapshot.now
    step = Step(world: world, snapshot: snapshot, isRecording: recording)
    self.scenario = scenario
    faults = FaultCounter(scenario?.faults ?? [])
  }

  var snapshot: Snapshot { step.snapshot }

  mutating func run() {
    look()
    var script = scenario?.script
    // It can cut off the launch.
    if let first = script?.first, case .kill(let keeping?) = first.kind {
      armedKill = (keeping, first.site)
      script?.removeFirst()
    }
    if let after = scenario?.given.after {
      step.record(.resumed(scenario: after))
    } else {
      take(.launch)
    }
    if let script {
      run(script)
    } else {
      // An app that has come to an end as it was launched is left there.
      if scenario?.given.after != nil, !step.snapshot.app.isRunning { take(.launch) }
      runAutomatically()
    }
  }

  /// Takes a choice, unless the run is over, and lets happen what nobody waits for behind it; `false` when one failed.
  @discardableResult
  mutating func take(_ choice: Choice) -> Bool {
    make(choice)
    while !isStopped, let orphan = world.indexOfSentOrphan(in: step.snapshot) {
      if let delivery = delivery(of: orphan) { make(delivery) }
    }
    return !isStopped
  }

  private mutating func make(_ choice: Choice) {
    guard !isStopped else { return }
    if let armed = armedKill,
      world.take(choice, in: step.snapshot, recording: false).kills.contains(armed.keeping)
    {
      armedKill = nil
      return make(.killed(during: choice, keeping: armed.keeping))
    }
    if isRecording { step.record(.choice(world.describe(choice, in: step.snapshot))) }
    let report = step.take(choice)
    enteredGoal = enteredGoal || report.enteredGoal
    choicesTaken += 1
    look()
    if let failure = report.failure {
      stop(faults.told(failure, in: step.snapshot))
    } else if weightOfChanges > Self.mostSet {
      stop(.tooMuchSet(world.flow, scenario))
    } else if choicesTaken > Self.mostChoices || step.happened.happenings.count > Self.mostHappenings {
      stop(.tooLong(world.flow, scenario, isAdvancing: isAdvancing))
    }
  }

  private var weightOfChanges: Int {
    mutating get {
      // A change is large: none is copied to be weighed.
      while weighed < step.happened.changes.count {
        weight += step.happened.changes[weighed].new.weight
        weighed += 1
      }
      return weight
    }
  }

  private mutating func look() {
    if let isSought, passed == nil, isSought(snapshot) { passed = snapshot }
  }

  /// Lets everything happen that can be delivered at this instant.
  mutating func deliverAll(timers: Bool = true) {
    while !isStopped {
      if let flight = step.snapshot.indexOfSentFlight {
        deliver(flight)
      } else if let choice = performance() {
        take(choice)
      } else if let due = world.nextDue(in: step.snapshot, timers: timers), due.instant <= step.snapshot.now {
        take(.tick(timers: timers))
      } else {
        return
      }
    }
  }

  mutating func deliver(_ index: Int) {
    if let choice = delivery(of: index) { take(choice) }
  }

  private mutating func delivery(of index: Int) -> Choice? {
    if faults.isEmpty { return step.snapshot.flights[index].delivery(to: step.snapshot.device) }
    let flight = step.snapshot.flights[index]
    let fault = strike(faults.faults(for: flight, isCutOff: flight.isCutOff(by: step.snapshot.device)))
    return possible(world.delivery(of: flight, fault, in: step.snapshot))
  }

  /// What the device does with what it was asked for.
  mutating func performance() -> Choice? {
    guard let (capability, input) = world.asked(in: step.snapshot) else { return nil }
    let fault = faults.isEmpty ? nil : strike(faults.faults(for: capability))
    return possible(world.performance(of: capability, input: input, fault, in: step.snapshot))
  }

  private mutating func possible(_ choice: Result<Choice, Refusal>) -> Choice? {
    switch choice {
    case .success(let choice): return choice
    case .failure(let refusal):
      stop(refusal.diagnostic)
      return nil
    }
  }

  /// Notes a fault that strikes; two for one try are an error.
  private mutating func strike(_ struck: [Scenario.Fault]) -> Scenario.Fault? {
    guard let fault = struck.first else { return nil }
    if struck.count > 1 {
      stop(.twoFaults(struck))
      return nil
    }
    step.record(.fault(fault.words(in: world.flow)))
    return fault
  }

  mutating func stop(_ diagnostic: Diagnostic) {
    problems.append(diagnostic)
    isStopped = true
  }
}
