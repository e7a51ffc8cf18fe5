import Expressions

extension Check {
  /// Timers that do nothing when they go off, those before which another leads out of the state at all times, and those of
  /// an app that wait for longer than one runs.
  static let timers: @Sendable (Examined) -> [Diagnostic] = { examined in
    let machine = examined.machine
    let firsts = machine.states.indices.map { machine.firstToLeave($0) }
    return machine.states.indices.flatMap { state in
      machine.states[state].after.indices.compactMap { index in
        let timer = machine.states[state].after[index]
        if timer.isIdle { return idle(timer) }
        return late(timer, index, of: state, in: machine, behind: firsts) ?? (examined.model == nil ? long(timer) : nil)
      }
    }
  }

  private static func idle(_ timer: Timer) -> Diagnostic {
    Diagnostic(
      "idle-timer", severity: .warning, "nothing comes of this timer", at: timer.transition[0].site,
      "goes off, and changes nothing", help: "add \"goto\", \"end\" or \"do\", or remove it")
  }

  private static let longest = Duration.seconds(24 * 60 * 60)

  private static func long(_ timer: Timer) -> Diagnostic? {
    guard let wait = timer.fixedWait, wait >= longest else { return nil }
    return Diagnostic(
      "long-wait", severity: .warning,
      "this wait begins anew each time the app is opened, and hardly any app runs for so long",
      at: timer.site, "a kill ends it",
      help: "keep the instant in \"store\", as \"until\": \"${now + duration('…')}\", and give it as \"at\"")
  }

  private static func late(
    _ timer: Timer, _ index: Int, of state: Int, in machine: Machine, behind firsts: [(wait: Duration, index: Int)?]
  ) -> Diagnostic? {
    guard let wait = timer.fixedWait else { return nil }
    // Of those of one state that fall due together the first goes off; one around it comes second then.
    let outer = machine.enclosing(state).first { outer in
      guard let first = firsts[outer] else { return false }
      return first.wait < wait || outer == state && first.wait == wait && first.index < index
    }
    guard let outer, let first = firsts[outer] else { return nil }
    return Diagnostic(
      "unreachable-transition", severity: .warning, "another timer leads out of here before this one goes off",
      at: timer.site, "never goes off", help: "give it a shorter time, or the other a \"when\"",
      related: (machine.states[outer].after[first.index].site, "goes off first"))
  }
}

extension Machine {
  /// Which timer leads out of a state first, whatever is the case; `nil` for none.
  fileprivate func firstToLeave(_ state: Int) -> (wait: Duration, index: Int)? {
    let timers = states[state].after
    let leaving = timers.indices.compactMap { index in
      timers[index].waitBeforeLeaving(state, in: self).map { (wait: $0, index: index) }
    }
    return leaving.min { ($0.wait, $0.index) < ($1.wait, $1.index) }
  }
}

extension Transition {
  /// Whether nothing comes of it, nor would if what is wrong in it were right.
  var isIdle: Bool {
    guard case .stay = target else { return false }
    return actions.isEmpty && !hasMistake
  }
}

extension Timer {
  fileprivate var isIdle: Bool { transition[0].isIdle }

  /// The wait that is written out, by itself or in an expression that reads nothing; `nil` for another, and for an instant.
  var fixedWait: Duration? {
    guard case .wait(let placed) = due else { return nil }
    if let text = placed.template.literalText { return Duration(celText: text, allowingDays: true) }
    guard placed.template.isAlone, let expression = placed.template.expressions.first, expression.isConstant
    else { return nil }
    var frame = Frame(knowing: [], of: .config)
    guard case .duration(let wait)? = try? expression.evaluate(&frame) else { return nil }
    return wait
  }

  /// Where its time stands.
  var site: Site { placed.site }

  /// What says its time.
  var placed: PlacedTemplate {
    switch due {
    case .wait(let placed), .at(let placed): placed
    }
  }

  /// The wait behind which it leaves its state, whatever is the case; `nil` where it may stay in it, where the other
  /// timers go on.
  fileprivate func waitBeforeLeaving(_ state: Int, in machine: Machine) -> Duration? {
    guard transition[0].when == nil else { return nil }
    switch transition[0].target {
    case .stay, .reply: return nil
    case .state(let target) where target != state && machine.encloses(state, target): return nil
    case .state, .end: return fixedWait
    }
  }
}

extension RequestSpec {
  /// How long its answer may be awaited: of one that is tried again no more than ten minutes are thought of, so that the
  /// time of a session is none.
  var patience: Duration { retry == nil ? timeout : max(timeout, .seconds(600)) }
}
