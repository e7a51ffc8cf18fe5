import Expressions
import FlowEngine
import FlowInterpreter
import FlowSpec

extension SessionRun {
  /// Does what the person says; what has been overtaken is dropped, and the person is asked anew.
  mutating func perform(_ act: Act?, in group: inout Group) async {
    guard let standing, let act else { return await leave() }
    let revision = standing.revision
    if let time = act.time, !isInCalendar(after: time) {
      refusal = "the clock would leave the years 1 to 9999"
      return await ask(in: &group)
    }
    switch act {
    case .leaves: await leave()
    case .step(let step): await take(step, at: revision, in: &group)
    case .page: _ = await session.at(revision) { $0.takePage() }
    case .timePasses: await letTimePass(to: standing.due, in: &group)
    case .advances(let time): await pause(time, launches: false, in: &group)
    case .launch(let time):
      if time == .zero { await session.launch() } else { await pause(time, launches: true, in: &group) }
    case .relaunch(let time):
      await session.kill()
      await pause(time, launches: true, in: &group)
    case .kill: await session.kill()
    // As it is already: nothing comes of it, and the session says no more.
    case .network(standing.isOnline): await ask(in: &group)
    // It comes and goes whatever has happened meanwhile.
    case .network(let isOnline): try? await session.network(isOnline: isOnline)
    case .goesWrong(let fault): await session.arm(fault, byHand: true)
    case .goesAsUsual(let target): await session.disarm(target)
    case .person, .arrives, .performed, .failedToPerform:
      do throws(InputError) {
        _ = try await session.at(revision) { session async throws(InputError) in
          try await session.tell(act)
        }
      } catch {
        refusal = error.description
        await ask(in: &group)
      }
    }
  }

  /// Takes a step of a script; where it turns out not to be offered, that is an error.
  private mutating func take(_ step: Scenario.Step, at revision: Int, in group: inout Group) async {
    let taken = stepsTaken
    stepsTaken += 1
    if let time = step.kind.time, !isInCalendar(after: time) {
      return await leave(because: .notTaken(.beyondCalendar(step.site)))
    }
    switch step.kind {
    case .offline: await perform(.network(isOnline: false), in: &group)
    case .online: await perform(.network(isOnline: true), in: &group)
    case .advance(let time): await perform(.advances(time), in: &group)
    case .kill: await perform(.kill, in: &group)
    case .relaunch(let time): await perform(.relaunch(after: time), in: &group)
    case .fault(let fault): await session.arm(fault, byHand: false)
    case .launch:
      if standing?.isAppRunning == true { return await leave(because: .notTaken(.alreadyRunning(step))) }
      await perform(.launch(after: .zero), in: &group)
    case .event, .submit, .follow, .openMail, .closeBrowser, .arrive:
      let isVirtual = virtual != nil
      do throws(Refusal) {
        let isTaken =
          try await session.at(revision) { session throws(Refusal) in
            try session.take(step, withExamples: isVirtual)
          } ?? nil
        if isTaken == false {
          await leave(because: .notTaken(.notOffered(step, in: report.flow, standing)))
        }
        if isTaken == nil { stepsTaken = taken }
      } catch {
        await leave(because: .notTaken(error.diagnostic))
      }
    }
  }

  /// Where nothing is live time goes to what falls due next; real time goes by itself.
  private mutating func letTimePass(to due: Duration?, in group: inout Group) async {
    guard let virtual else { return }
    guard let due else { return await ask(in: &group) }
    virtual.move(to: due)
    await session.timePasses()
  }

  /// Whether the clock will show a time that there is, so much later: the session passes over what is none.
  private func isInCalendar(after time: Duration) -> Bool {
    Timestamp(sinceEpoch: clock.now + time) != nil
  }

  /// Lets time pass before the next question; the app is opened behind it, if it `launches`.
  private mutating func pause(_ time: Duration, launches: Bool, in group: inout Group) async {
    let until = clock.now + time
    if let virtual {
      virtual.move(to: until)
      if launches { await session.launch() } else { await session.timePasses() }
      return
    }
    isPausing = true
    group.addTask { [clock, event] in
      try? await clock.sleep(until: until)
      event.yield(.woke(launches: launches))
    }
  }
}

extension ManualClock {
  /// Never back; nobody is woken, as whoever moves it tells the session.
  fileprivate func move(to time: Duration) { move(by: max(.zero, time - now), waking: false) }
}

extension Scenario.Step.Kind {
  /// How much time it lets pass.
  fileprivate var time: Duration? {
    switch self {
    case .advance(let time), .relaunch(let time): time
    default: nil
    }
  }
}

extension FlowSession {
  /// What a person or the system does.
  fileprivate func tell(_ act: Act) async throws(InputError) {
    switch act {
    case .person(let act, let fields): try await person(act, with: fields, orExamples: true)
    case .arrives(let url): try await arrive(at: url)
    case .performed(let result): try await performed(result, for: nil, orExamples: true)
    case .failedToPerform(let failure): try await failedToPerform(failure, forAny: nil)
    case .step, .page, .timePasses, .advances, .kill, .launch, .relaunch, .network, .goesWrong, .goesAsUsual, .leaves:
      break
    }
  }
}
