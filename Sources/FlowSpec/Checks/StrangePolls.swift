import Expressions

extension Check {
  /// Polls for tokens that heed no `slow_down`, come sooner than every 5 seconds though nothing reads the `interval` that
  /// the server says, go on once the code has expired, or come to nothing where one answer was lost (RFC 8628, sections 3.2
  /// and 3.5; OpenID Connect CIBA, section 11).
  ///
  /// Who makes the wait longer on either answer does so on both.
  static let strangePolls: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let states = examined.machine.states
    lazy var readsInterval = examined.expressions.contains { $0.expression.reads("interval", below: "response") }
    var left = mostLooks
    return states.indices.flatMap { index -> [Diagnostic] in
      guard case .request(let request) = states[index].activity, request.pollsForTokens, left > 0 else { return [] }
      left -= 1
      let given = examined.givingUp(request, at: index).map(givenUp)
      if let retry = request.retry, let when = retry.when, when.holds(error: "authorization_pending") == true {
        return retried(retry, when, request, readsInterval) + [given].compactMap(\.self)
      }
      let poll = Poll(at: index, in: examined.machine)
      return [
        poll.ignoresSlowDown.map(notSlower), poll.isEndless.map(endless),
        readsInterval ? nil : poll.soonTimer.map { soon(at: $0.site) }, given,
      ].compactMap(\.self)
    }
  }

  /// Each goes through what follows.
  private static let mostLooks = 50
  fileprivate static let usualInterval = Duration.seconds(5)

  private static func retried(
    _ retry: Retry, _ when: Condition, _ request: RequestSpec, _ readsInterval: Bool
  ) -> [Diagnostic] {
    let site = when.expressions.first?.site ?? request.site
    let isSlower = when.holds(error: "slow_down") != true || !retry.actions.isEmpty || retry.call != nil
    let slower = isSlower || retry.factor > 1 ? [] : [notSlower(at: site)]
    let isSoon = retry.wait < usualInterval && retry.factor <= 1 && retry.call == nil && !readsInterval
    return slower + (isSoon ? [soon(at: site)] : [])
  }

  private static func notSlower(at site: Site) -> Diagnostic {
    strangePoll(
      "\"slow_down\" changes nothing here: the next poll comes as soon as the last one did", at: site,
      "holds for \"slow_down\"",
      help: "wait 5 seconds longer from then on, by a key of \"memory\" that the \"wait\" reads (RFC 8628, section 3.5)"
    )
  }

  private static func endless(at site: Site) -> Diagnostic {
    strangePoll(
      "this goes on polling once the code has expired, and for ever", at: site,
      "holds for \"expired_token\" as for \"authorization_pending\"",
      help: "ask for response.json.?error.orValue('') == 'authorization_pending' (RFC 8628, section 3.5)")
  }

  private static func soon(at site: Site) -> Diagnostic {
    strangePoll(
      "this polls more often than the server may ask for by its \"interval\", which nothing reads", at: site,
      "comes sooner than in 5s",
      help: "wait for seconds(int(response.json.interval)) of the first answer, or 5 seconds where it says none "
        + "(RFC 8628, section 3.2)")
  }

  private static func givenUp(_ transition: Transition) -> Diagnostic {
    strangePoll(
      "one answer that was lost ends the sign-in, while the person may be allowing it elsewhere",
      at: transition.siteOfChoice, "is taken where no answer came",
      help: "go on polling, a little later each time, until the code has expired (RFC 8628, section 3.5)")
  }

  private static func strangePoll(_ message: String, at site: Site, _ label: String, help: String) -> Diagnostic {
    Diagnostic("strange-poll", severity: .warning, message, at: site, label, help: help)
  }
}

/// How a request comes round by decisions and timers behind an answer that says to go on.
private struct Poll {
  /// One time round.
  fileprivate struct Way {
    var states: [Int]
    var actions: [Action]
    /// `nil` where only a run knows.
    var wait: Duration?
    var timer: Timer?
    /// Whether conditions decide on it.
    var isDecided = false
  }
  private static let (mostSteps, longestWay) = (200, 12)

  private let machine: Machine
  private let state: Int
  private let pending: Transition?
  private let ways: [Way]

  init(at state: Int, in machine: Machine) {
    (self.machine, self.state) = (machine, state)
    pending = machine.states[state].next.taking(error: "authorization_pending")
    ways = pending.map { Self.ways(behind: $0, to: state, in: machine) } ?? []
  }

  /// Where `slow_down` is taken, and nothing is set on the way round.
  var ignoresSlowDown: Site? {
    guard let pending, !ways.isEmpty, ways.allSatisfy(\.actions.areIdle),
      let slower = machine.states[state].next.taking(error: "slow_down")
    else { return nil }
    if slower === pending { return slower.siteOfChoice }
    let others = Self.ways(behind: slower, to: state, in: machine)
    let (wait, timers) = (ways.compactMap(\.wait).max(), ways.compactMap { $0.timer?.site })
    let isNotSlower =
      !others.isEmpty
      && others.allSatisfy { way in
        // The same timer is the same wait, however long that is.
        let isNoLonger =
          way.wait.flatMap { own in wait.map { own <= $0 } } ?? way.timer.map { timers.contains($0.site) }
        return way.actions.areIdle && isNoLonger == true
      }
    return isNotSlower ? slower.siteOfChoice : nil
  }

  /// Where `expired_token` is taken to go on, and neither time nor a condition on the way ends that.
  var isEndless: Site? {
    guard let pending, !ways.isEmpty, machine.states[state].next.taking(error: "expired_token") === pending,
      !ways.contains(where: { $0.isDecided || mayEnd($0) })
    else { return nil }
    return pending.siteOfChoice
  }

  /// The timer on a way round that takes less than usual.
  var soonTimer: Timer? {
    ways.first { way in way.timer != nil && way.wait.map { $0 < Check.usualInterval } == true }?.timer
  }

  /// Whether another timer leads out of it.
  private func mayEnd(_ way: Way) -> Bool {
    machine.around(way.states + [state]).contains { index in
      let own = way.states.contains(index) ? 1 : 0
      return machine.states[index].after.count > own
    }
  }

  private static func ways(behind transition: Transition, to sought: Int, in machine: Machine) -> [Way] {
    let start = Way(states: [], actions: transition.actions, wait: .zero, timer: nil)
    var (pending, found, steps) = ([(transition.target, sought, start)], [Way](), 0)
    while let (target, source, before) = pending.popLast(), steps < mostSteps {
      steps += 1
      guard case .state(let target) = target, before.states.count < longestWay else { continue }
      let entered = machine.entered(target, from: source)
      let leaf = entered.last ?? target
      var way = before
      way.actions += entered.flatMap { machine.states[$0].entry }
      if leaf == sought {
        found.append(way)
        continue
      }
      if way.states.contains(leaf) { continue }
      way.states.append(leaf)
      if machine.states[leaf].decides {
        way.isDecided = way.isDecided || machine.states[leaf].next.contains { $0.when?.readsOwnState == true }
        pending += machine.states[leaf].next.map { ($0.target, leaf, way.taking($0)) }
      } else {
        for outer in machine.enclosing(leaf) {
          for timer in machine.states[outer].after {
            pending += timer.transition.map { ($0.target, outer, way.taking($0, behind: timer)) }
          }
        }
      }
    }
    return found
  }
}

extension Poll.Way {
  fileprivate func taking(_ transition: Transition, behind timer: Timer? = nil) -> Self {
    var way = self
    way.actions += transition.actions
    guard let timer else { return way }
    way.wait = way.wait.flatMap { wait in timer.fixedWait.map { wait + $0 } }
    way.timer = timer
    return way
  }
}

extension [Action] {
  /// Whether they set nothing.
  fileprivate var areIdle: Bool { allSatisfy(\.assignments.isEmpty) }
}

extension Examined {
  /// What takes a lost answer to a poll, where nothing that follows polls once more with the same code; `nil` where something
  /// does, or nobody knows what takes it.
  fileprivate func givingUp(_ request: RequestSpec, at index: Int) -> Transition? {
    if request.retry?.when.flatMap({ FailureTable($0, online: true) })?.holds(for: "lost") == true { return nil }
    let code = request.bodyFields.first { ["device_code", "auth_req_id"].contains($0.name) }
    guard let lost = machine.states[index].takingLost,
      let name = code?.value.expressions.first?.handedOn.first?.withoutOptionals
    else { return nil }
    if lost.actions.write(name) { return lost }
    let starts: [Int] =
      switch lost.target {
      case .state(let target): [target]
      case .end: machine.callers[machine.states[index].routine]
      case .stay, .reply: [index]
      }
    let graph = StateGraph(machine) { !$0.actions.write(name) }
    return graph.reachable(from: starts)[index] ? nil : lost
  }
}

extension [Transition] {
  /// The one that surely takes an answer of 400 with this error; `nil` where more than that decides.
  fileprivate func taking(error word: String) -> Transition? {
    for transition in self where !transition.isSometimes {
      guard let when = transition.when else { return transition }
      guard let holds = when.holds(error: word) else { return nil }
      if holds { return transition }
    }
    return nil
  }
}

extension Condition {
  /// Whether it holds for an answer of 400 with this error; `nil` where more than that decides.
  fileprivate func holds(error word: String) -> Bool? {
    let table = FailureTable(self, online: true)
    return table.flatMap { try? $0.holds(status: 400, nil, having: AnswerExample(error: word)) }
  }
}
