import FlowEngine
import FlowInterpreter
import Testing

@testable import FlowSpec

/// A page that another replaces after ten seconds; both have a form of one name, and the first has links too.
private let flow = #"""
  { "flow": "pages", "participants": { "user": { "kind": "person" }, "app": { "kind": "app" },
      "browser": { "kind": "browser" }, "web": { "kind": "service", "url": "https://web.example", "model": "web.json" } },
    "start": "a", "states": { "a": { "goal": true, "do": [{ "open": { "to": "web", "get": "/one" } }],
      "after": [{ "wait": "10s", "do": [{ "open": { "to": "web", "get": "/two" } }] }] } } }
  """#
private let web = #"""
  { "service": "web", "routes": [
    { "on": "GET /one", "next": [{ "reply": { "status": 200, "page": { "title": "One",
      "forms": { "send": { "post": "/sent", "fields": { "pin": { "type": "string", "secret": true, "example": "1" } } } },
      "links": { "first": { "get": "/one" }, "second": { "get": "/one" } } } } }] },
    { "on": "GET /two", "next": [{ "reply": { "status": 200, "page": { "title": "Two",
      "forms": { "send": { "post": "/sent", "fields": { "pin": { "type": "string", "example": "2" } } } } } } }] },
    { "on": "POST /sent", "next": [{ "reply": { "status": 200, "page": { "title": "Sent" } } }] }] }
  """#

/// What is done to a page that time has replaced before the session heard of it.
@Suite(.timeLimit(.minutes(20))) struct PassedPageTests {
  private let clock = ManualClock()

  private func session() throws -> FlowSession {
    let checked = try CheckedFlow(at: "pages.json") { path in Array((path == "pages.json" ? flow : web).utf8) }
    return try FlowSession(checked, clock: clock, traces: true)
  }

  /// The session shows the first page, and its clock the time of the second.
  private func pass(_ session: FlowSession, _ listener: inout Listener) async throws {
    try await listener.listen { $0.line?.contains(#""page":"One""#) == true }
    let acts = await session.offers.map(\.act)
    #expect(acts.contains(.follows(link: "second")) && acts.contains(.submits(form: "send")))
    clock.move(by: .seconds(10), waking: false)
  }

  private func checkNothingSent(_ session: FlowSession, _ listener: inout Listener) async {
    let acts = await session.offers.map(\.act)
    #expect(acts == [.submits(form: "send"), .closesBrowser])
    await session.stop()
    let trace = await listener.rest().compactMap(\.line).joined()
    #expect(trace.contains(#""page":"Two""#) && !trace.contains("/sent"), "\(trace)")
  }

  @Test(arguments: [PersonAct.follows(link: "second"), .submits(form: "send")])
  func isNotDoneToTheOther(act: PersonAct) async throws {
    let session = try session()
    _ = try await withRunning(session) { listener in
      try await pass(session, &listener)
      await #expect(throws: InputError.self) { try await session.person(act) }
      await checkNothingSent(session, &listener)
    }
  }

  @Test(arguments: [false, true]) func isNotOfferedToAScriptAnyMore(submits: Bool) async throws {
    let session = try session()
    let step = Scenario.Step(
      kind: submits ? .submit(form: "send", with: []) : .follow(link: "second"),
      site: Site(document: Document(path: "s.json", bytes: []), range: 0..<0), linkSite: nil)
    _ = try await withRunning(session) { listener in
      try await pass(session, &listener)
      let isOffered = try await session.take(step, withExamples: true)
      #expect(isOffered == nil)
      await checkNothingSent(session, &listener)
    }
  }

  @Test func isLookedForAnewByTheAutomaticPerson() async throws {
    let session = try session()
    _ = try await withRunning(session) { listener in
      try await pass(session, &listener)
      await session.takePage()
      try await listener.listen { $0.line?.contains(#""form":"send""#) == true }
      #expect(listener.heard.tell(#""page":"Two""#, #""form":"send""#))
    }
  }
}
