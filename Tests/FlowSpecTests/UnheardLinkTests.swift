import FlowSpec
import Testing

/// What is said of a mailed link that these states hear, beside one that waits for it, and of the flow itself.
private func told(
  waiting: String = "", out: String = "", flow: String = "", launch: String = "out", called: String = ""
) -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "participants": {"user": {"kind": "person"}, "app": {"kind": "app", "links": {"in": "https://app.example/in"}},
       "id": {"kind": "service", "url": "https://id.example"}},
     "store": {"asked": {"type": "bool", "initial": false}},
     "events": {"link.in": {}, "user.asks": {}, "user.stops": {}},
     "start": "launch", \#(flow) "states": {
       "launch": {"next": [{"when": "store.asked", "goto": "\#(launch)"}, {"goto": "looking"}]},
       "looking": {"request": {"to": "id", "get": "/me"}, "next": [{"goto": "out"}]},
       "out": {"rest": true, "on": {"user.asks": {"do": [{"set": {"asked": true}}], "goto": "asking"}\#(out)}},
       "asking": {"request": {"to": "id", "post": "/mail"}, "next": [{"goto": "waiting"}]},
       "waiting": {"rest": true, "on": {"user.stops": {"do": [{"clear": ["asked"]}], "goto": "out"}\#(waiting)}\#(called)},
       "home": {"goal": true}}}
    """#
  ])
  return documents.told("unheard-link").map { $0.help ?? "" }
}

/// A mailed link that nobody hears once the app was closed.
@Suite struct UnheardLinkTests {
  private static let hears = #", "link.in": {"goto": "home"}"#

  @Test func aLinkThatIsHeardWhereNoLaunchComesIsTold() {
    #expect(told(waiting: Self.hears).map { $0.hasPrefix(#"hear it in "out", too"#) } == [true])
  }

  @Test func whatALaunchComesToMayHearIt() {
    #expect(told(out: Self.hears) == [])
    #expect(told(waiting: Self.hears, launch: "waiting") == [])
    #expect(told(waiting: Self.hears, flow: #""on": {"link.in": {"goto": "home"}},"#) == [])
  }
}
