import Testing

/// Section 7, browser: one jar by origin.
@Suite struct CookieTests {
  private static let web = #"""
    "routes": [
      {"on": "GET /set", "next": [{"reply": {"cookies": {"sid": "s1", "b": "2"}, "redirect": {"get": "/see"}}}]},
      {"on": "GET /more", "next": [{"reply": {"cookies": {"sid": "s2"}, "page": {"title": "More"}}}]},
      {"on": "GET /clear", "next": [{"reply": {"cookies": {"sid": null}, "redirect": {"get": "/see"}}}]},
      {"on": "GET /see", "next": [{"reply": {"page": {"title": "sid ${request.cookies.?sid.orValue('none')}"}}}]}]
    """#

  private static func opening(participants: [String: String] = [:]) -> Sketch {
    Sketch(
      flow: #"""
        "events": {"user.opens": {"fields": {"path": {"type": "string"}}}, "user.other": {}, "user.asks": {}}, "start": "a", "states": {
          "a": {"rest": true, "on": {
            "user.opens": {"do": [{"open": {"to": "web", "get": "/${event.path}"}}]},
            "user.other": {"do": [{"open": {"to": "other", "get": "/see"}}]}, "user.asks": {"goto": "asks"}}},
          "asks": {"request": {"to": "web", "get": "/see"}, "next": [{"goto": "a"}]}}
        """#, services: ["web": web, "other": web], participants: participants)
  }

  private static func opens(_ path: String) -> String { #"{"event": "user.opens", "with": {"path": "\#(path)"}}"# }

  @Test func cookiesAreKeptReplacedAndDeleted() throws {
    try checkStory(
      Self.opening(),
      #""script": [\#(Self.opens("set")), \#(Self.opens("more")), \#(Self.opens("see")), \#(Self.opens("clear"))]"#,
      has: """
        browser → web GET /set
        browser → web GET /see cookies sid=s1; b=2
        page sid s1
        browser → web GET /more cookies sid=s1; b=2
        browser → web GET /see cookies sid=s2; b=2
        page sid s2
        browser → web GET /clear cookies sid=s2; b=2
        browser → web GET /see cookies b=2
        page sid none
        """)
  }

  @Test func theyOutliveTabsAndRelaunches() throws {
    try checkStory(
      Self.opening(),
      #""script": [\#(Self.opens("set")), {"close": "browser"}, {"relaunch": {"after": "3d"}}, \#(Self.opens("see"))]"#,
      has: "page sid s1\nuser closes tab\nkilled\n+259200s\nlaunch by user\nbrowser → web GET /see cookies sid=s1; b=2")
  }

  @Test func theyAreOfOneOrigin() throws {
    let script = #""script": [\#(Self.opens("set")), {"event": "user.other"}]"#
    try checkStory(Self.opening(), script, has: "page sid s1\nbrowser → other GET /see\npage sid none")
    // Two participants below one origin share its cookies.
    let shared = [
      "web": #", "url": "https://one.example/web""#, "other": #", "url": "https://one.example:443/other""#,
    ]
    try checkStory(
      Self.opening(participants: shared), script, has: "browser → other GET /see cookies sid=s1; b=2\npage sid s1")
  }

  @Test func theAppHasNone() throws {
    try checkStory(
      Self.opening(), #""script": [\#(Self.opens("set")), {"event": "user.asks"}]"#,
      has: "page sid s1\nin asks\napp → web GET /see")
  }
}
