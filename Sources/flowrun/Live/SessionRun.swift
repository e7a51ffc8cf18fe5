import FlowEngine
import FlowHTTP
import FlowInterpreter
import FlowSpec

/// Leads a session from its start to its end: asks the person, does what is said, tells what happens.
struct SessionRun {
  enum Event: Sendable {
    case output(FlowOutput)
    /// What the person who was asked so many times does.
    case acted(Act?, question: Int)
    case gaveUp(Failure, question: Int)
    /// The pause is over that a step asked for.
    case woke(launches: Bool)
    case stopped
    /// The browser has come back to a redirect URI.
    case redirected(String)
    /// The page of this number has been open for so long.
    case overdue(page: Int, after: Duration)
    case browserFailed(Failure, page: Int)
    case ended(Result<String, any Error>)
    /// The session has told everything.
    case silent
  }

  typealias Group = DiscardingTaskGroup

  let session: FlowSession
  let person: any Person
  let clock: any SessionClock
  /// The same where nothing is live: it stands still until somebody lets time pass.
  let virtual: ManualClock?
  /// `nil` where nothing is live.
  let browser: LiveBrowser?
  var report: SessionReport
  /// How many steps there are to take.
  let stepCount: Int
  private let events = AsyncStream.makeStream(of: Event.self)
  /// Where the session stood when the person was asked last.
  var standing: FlowStanding?
  var stepsTaken = 0
  /// How often the session was heard to wait.
  var waitsHeard = 0
  var refusal: String?
  /// How often the person was asked, and what withdraws the question.
  var questions = 0
  var withdraw: AsyncStream<Void>.Continuation?
  /// A step lets time pass.
  var isPausing = false
  /// A redirect has come of which not all was told.
  var wasRedirected = false
  var isInterrupted = false
  /// The last page that was opened was given up because its browser failed.
  var lacksBrowser = false
  /// Why it was ended before its time.
  var failure: Failure?
  /// Counts what was opened and closed in the browser.
  var pages = 0
  /// How often the browser had come with a code that it had brought before, when the last page was opened.
  var repeatsBefore = 0
  var ending: Result<String, any Error>?
  var isSilent = false

  /// Tells this run what has happened.
  var event: AsyncStream<Event>.Continuation { events.continuation }

  /// Runs it to its end; gives what ended it, `nil` when somebody left.
  mutating func run(until stops: AsyncStream<Void>) async -> Result<String, any Error>? {
    await withDiscardingTaskGroup { group in
      start(in: &group, until: stops)
      for await event in events.stream {
        await handle(event, in: &group)
        if ending != nil, isSilent { break }
      }
      group.cancelAll()
    }
    return ending
  }

  private func start(in group: inout Group, until stops: AsyncStream<Void>) {
    let (session, event) = (session, event)
    group.addTask {
      let ending: Result<String, any Error>
      do { ending = .success(try await session.run()) } catch { ending = .failure(error) }
      event.yield(.ended(ending))
    }
    group.addTask {
      for await output in session.outputs { event.yield(.output(output)) }
      event.yield(.silent)
    }
    group.addTask {
      for await _ in stops {
        event.yield(.stopped)
        // Much may be left to tell before that is heard: nothing more happens meanwhile.
        await session.interrupt()
      }
    }
    awaitRedirect(in: &group)
  }

  /// Waits for the browser to come back: for the next time only when all was told that came of the last, so that whoever
  /// comes faster is no burden.
  private func awaitRedirect(in group: inout Group) {
    guard let listener = browser?.listener else { return }
    group.addTask { [event] in
      if let address = try? await listener.next() { event.yield(.redirected(address)) }
    }
  }

  private mutating func handle(_ event: Event, in group: inout Group) async {
    switch event {
    case .output(let output): await hear(output, in: &group)
    case .acted(let act, questions): await perform(act, in: &group)
    case .gaveUp(let problem, questions): await leave(because: problem)
    case .acted, .gaveUp: break
    case .woke(let launches):
      isPausing = false
      if launches { await session.launch() } else { await session.timePasses() }
    case .stopped:
      isInterrupted = true
      withdrawQuestion()
    case .redirected(let address):
      wasRedirected = (try? await session.arrive(at: address)) != nil
      if !wasRedirected { awaitRedirect(in: &group) }
      if await !session.standing.isBrowserOpen { pages += 1 }
    case .overdue(let page, let wait):
      let time = elapsedWords(Int(wait / .milliseconds(1)))
      // Somebody may have come, and brought something else.
      let isRepeated = browser?.listener.map { $0.repeats > repeatsBefore } ?? false
      let other = isRepeated ? ", but somebody with a code that had come before" : ""
      await giveUp(page, because: "nobody came back in \(time) with what the app waits for\(other)")
    case .browserFailed(let problem, let page):
      withdrawQuestion()
      report.console.report(problem)
      // Nobody can open it by hand.
      if browser?.system.showsAddress == false {
        lacksBrowser = lacksBrowser || page == pages
        await giveUp(page, because: "the browser has failed")
      }
      await ask(in: &group)
    case .ended(let result): ending = result
    case .silent: isSilent = true
    }
  }

  private mutating func hear(_ output: FlowOutput, in group: inout Group) async {
    switch output {
    case .traced(let line):
      withdrawQuestion()
      do throws(Failure) { try report.tell(line) } catch { await leave(because: error) }
    case .waiting:
      waitsHeard += 1
      if wasRedirected { awaitRedirect(in: &group) }
      wasRedirected = false
      await ask(in: &group)
    case .opened(let url): open(url, in: &group)
    case .closedBrowser: pages += 1
    case .entered, .emitted, .shown, .asked, .withdrawn, .awaitsAnswer: break
    }
  }

  /// Opens a page of a live service; where the browser does not come back in time, it counts as closed.
  private mutating func open(_ url: String, in group: inout Group) {
    guard let browser else { return }
    pages += 1
    repeatsBefore = browser.listener?.repeats ?? 0
    lacksBrowser = false
    group.addTask { [event, pages] in
      do throws(Failure) { try await browser.system.open(url) } catch {
        event.yield(.browserFailed(error, page: pages))
      }
    }
    group.addTask { [event, clock, pages] in
      try? await clock.sleep(until: clock.now + browser.wait)
      event.yield(.overdue(page: pages, after: browser.wait))
    }
  }

  /// A page counts as closed, unless it is gone already.
  private func giveUp(_ page: Int, because reason: String) async {
    if page == pages { await session.givePageUp(because: reason) }
  }

  /// Asks the person, and withdraws what was asked before.
  mutating func ask(in group: inout Group) async {
    withdrawQuestion()
    let standing = await session.standing
    // Otherwise it is yet to be heard that the session waits once more, and what has led there: nobody is asked before.
    guard standing.isSettled, standing.waitsTold == waitsHeard, !isPausing, failure == nil, !isInterrupted else {
      return
    }
    self.standing = standing
    questions += 1
    let situation = Situation(
      standing: standing, stepsTaken: stepsTaken, isVirtual: virtual != nil, refusal: refusal)
    refusal = nil
    let (withdrawn, withdraw) = AsyncStream.makeStream(of: Void.self)
    self.withdraw = withdraw
    group.addTask { [person, event, questions] in
      try? await untilGivenUp(withdrawn) {
        do throws(Failure) {
          event.yield(.acted(try await person.act(in: situation), question: questions))
        } catch {
          event.yield(.gaveUp(error, question: questions))
        }
      }
    }
  }

  private mutating func withdrawQuestion() {
    guard let withdraw else { return }
    withdraw.finish()
    self.withdraw = nil
    person.isInterrupted()
    // What the person says to it counts no more.
    questions += 1
  }

  mutating func leave(because problem: Failure? = nil) async {
    if failure == nil { failure = problem }
    withdrawQuestion()
    await session.stop()
  }
}
