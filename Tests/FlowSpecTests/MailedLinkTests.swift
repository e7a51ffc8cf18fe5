import FlowSpec
import Testing

/// What is said of a mailed link, or of one on a page, with its help.
private func told(
  _ address: String, id: String = "${newId('x')}", onPage: Bool = false, base: String = "https://api.example"
) -> [String] {
  let mail = #"{"send": {"m": {"text": "x", "links": {"go": "\#(address)"}}}}"#
  let page = #"{"reply": {"page": {"title": "p", "links": {"go": {"uri": "\#(address)"}}}}}"#
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "title": "X", "start": "a",
      "participants": {"user": {"kind": "person"}, "browser": {"kind": "browser"}, "inbox": {"kind": "inbox"},
        "app": {"kind": "app", "links": {"signIn": "https://app.example/sign-in/{authorization}",
          "home": "https://app.example/", "list": "https://app.example/list//{id}/"}},
        "api": {"kind": "service", "url": "\#(base)", "model": "api.json"},
        "deep": {"kind": "service", "url": "https://api.example/deep/er", "model": "deep.json"}},
      "states": {"a": {"request": {"to": "api", "post": "/a"}, "next": [{"goto": "b"}]}, "b": {"goal": true}}}
    """#,
    "api.json": #"""
    {"service": "api", "memory": {"id": {"type": "string"}, "other": {"type": "string"}}, "routes": [
      {"on": "POST /a", "next": [{"do": [{"set": {"id": "\#(id)", "other": "${request.json.other}"}}\#(onPage ? "" : ", " + mail)],
        "reply": {"json": {"id": "${memory.id}", "other": "${memory.other}"}}}]},
      \#(onPage ? #"{"on": "GET /page", "next": [\#(page)]},"# : "")
      {"on": "GET /consents/{authorization}/page", "next": [{"reply": {"page": {"title": "p"}}}]},
      {"on": "GET /consents/{id}", "next": [{"reply": {"json": {}}}]},
      {"on": "GET /", "next": [{"reply": {"page": {"title": "p"}}}]},
      {"on": "GET /a//b/", "next": [{"reply": {"page": {"title": "p"}}}]}]}
    """#,
    "deep.json": #"{"service": "deep", "routes": [{"on": "GET /x", "next": [{"reply": {"json": {}}}]}]}"#,
  ])
  let found = documents.flow("x.json").diagnostics
  return found.filter { $0.code == "unanswered-request" || $0.severity == .error }.map { $0.help ?? $0.message }
}

@Suite struct MailedLinkTests {
  private static let link = "did you mean https://app.example/sign-in/{authorization}?"
  private static let known =
    "if it is one of theirs, add it to \"links\" of the app or to \"origins\" of a service"

  /// What is encoded is a part of one segment, and what follows it can be held against links and routes.
  @Test(arguments: [
    ("https://app.example/sign-in/${urlEncode(memory.other)}/now", link),
    ("https://app.example/sign-in/${memory.id}/now", link), ("https://app.example/signin/${string(7)}", link),
    ("https://app.example/sign-in/${s256(memory.other)}-${memory.id}/now?x=${memory.other}", link),
    ("https://api.example/consent/${urlEncode(memory.other)}/page", "did you mean GET /consents/{authorization}/page?"),
    (
      "https://api.example/consents/${urlEncode(memory.other)}/paeg", "did you mean GET /consents/{authorization}/page?"
    ),
  ])
  func whatCanLeadNowhereIsTold(address: String, help: String) {
    #expect(told(address) == [help])
  }

  @Test(arguments: [
    "https://app.example/sign-in/${urlEncode(memory.other)}", "https://app.example/sign-in/${memory.id}?x=1",
    "https://app.example/sign-in/a${memory.id}b", "https://api.example/consents/${memory.id}/page",
    "https://api.example/${memory.id}/${memory.id}/page",
    // It may have slashes.
    "https://app.example/sign-in/${memory.other}/now", "https://app.example/sign-in/${'/' + memory.id}/now",
    "https://app.example/sign-in/${urlEncode(memory.id) + memory.other}/now",
    // It may be the other service, or any host.
    "https://api.example/deep/${memory.id}/x", "https://${urlEncode(memory.other)}.example/x/now",
  ])
  func whatMayLeadSomewhereIsNotTold(address: String) {
    #expect(told(address) == [])
  }

  /// A key may hold what it is set to.
  @Test func aKeyThatMayHoldSlashesIsNotTold() {
    let address = "https://app.example/sign-in/${memory.id}/now"
    #expect(told(address, id: "${request.json.id}") == [])
    #expect(told(address, id: "${newId('a/b')}") == [])
    #expect(told(address, id: "${request.json.a ? fresh('a') : newId('b')}") == [Self.link])
  }

  @Test func aLinkOfAPageIsHeldAgainstRoutes() {
    let help = "did you mean GET /consents/{authorization}/page?"
    #expect(told("https://api.example/consents/${memory.id}/paeg", onPage: true) == [help])
    #expect(told("https://api.example/consents/${memory.other}/paeg", onPage: true) == [])
    #expect(told("https://api.example/consents/${memory.id}/page", onPage: true) == [])
  }

  /// A run has them both under one address.
  @Test func aSlashAtTheEndOfABaseIsNoneOfThePath() {
    for base in ["https://api.example", "https://api.example/", "https://api.example/v1", "https://api.example/v1/"] {
      let below = base.hasSuffix("/") ? String(base.dropLast()) : base
      #expect(told("\(below)/consents/${memory.id}", base: base) == [], "\(base)")
      #expect(told("\(below)/consents/7", base: base) == [], "\(base)")
      #expect(told("\(below)/consent/7", base: base) == ["did you mean GET /consents/{id}?"], "\(base)")
    }
    #expect(told("https://api.example/v2/consents/7", base: "https://api.example/v1/") == [Self.known])
    // A second one is a segment.
    #expect(told("https://api.example//consents/7", base: "https://api.example//") == [])
    #expect(told("https://api.example/consents/7", base: "https://api.example//") == [Self.link])
  }

  @Test func anEmptySegmentIsASegment() {
    #expect(told("https://api.example//consents/7") == ["did you mean GET /consents/{id}?"])
    #expect(told("https://api.example/consents//7") == ["did you mean GET /consents/{id}?"])
    #expect(told("https://api.example/consents/7/") == ["did you mean GET /consents/{id}?"])
    #expect(told("https://app.example/list/7") == ["did you mean https://app.example/list//{id}/?"])
    #expect(told("https://app.example/list//7") == ["did you mean https://app.example/list//{id}/?"])
    #expect(told("https://api.example/v1/", base: "https://api.example/v1") == ["did you mean GET /?"])
    for address in [
      "https://api.example/", "https://api.example", "https://api.example/a//b/", "https://app.example/",
      "https://app.example/list//7/", "https://app.example/list//${memory.id}/",
      "https://api.example/a//${memory.other}",
    ] {
      #expect(told(address) == [], "\(address)")
    }
  }

  /// RFC 3986, sections 6.2.2.1 and 6.2.3.
  @Test(arguments: [
    "https://API.Example", "HTTPS://api.example", "https://api.example:443", "https://api.example:",
    "hTTps://API.example:443",
  ])
  func hostsAndPortsAreComparedAsInARun(origin: String) {
    let nearest = "did you mean GET /consents/{id}?"
    // A base is written with its scheme in lower case.
    for base in ["https://api.example", origin.replacing(/https/.ignoresCase(), with: "https")] {
      for address in ["/consents/7", "/consents/${memory.id}", "/a//${memory.other}", "/?x=1", ""] {
        #expect(told(origin + address, base: base) == [], "\(address) of \(base)")
      }
      for id in ["7", "${memory.id}"] {
        #expect(told("\(origin)/consent/\(id)", base: base) == [nearest])
        #expect(told("https://api.example/consent/\(id)", base: base) == [nearest])
      }
    }
    let link = origin.replacing(/api/.ignoresCase(), with: "app") + "/sign-in/"
    #expect(told(link + "${memory.id}") == [])
    #expect(told(link + "${memory.id}/now") == [Self.link])
  }

  @Test(arguments: [
    "https://api.example:8443/consents/7", "http://api.example/consents/7", "http://api.example:443/consents/7",
    "https://api.example:80/consents/7",
  ])
  func anotherPortOrSchemeIsAnotherAddress(address: String) { #expect(told(address) == [Self.known]) }

  @Test(.timeLimit(.minutes(1))) func anAddressOfManySlashesIsLookedUpAtOnce() {
    #expect(told("https://elsewhere.example" + String(repeating: "/", count: 1 << 19)) == [Self.known])
  }
}
