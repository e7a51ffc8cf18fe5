import Expressions
import FlowSpec
import Testing

/// Of many routes and links those that fit are looked up; what fits, and which is the first, is as of few.
@Suite struct ManyPathsTests {
  private static let lines =
    ["GET /a/{x}/only", "POST /things/t7"] + (0..<20).map { "GET /things/t\($0)" }
    + ["GET /things/t({key})", "GET /things/{any}(5)", "GET /things/t3{rest}", "GET /things/{any}"]
    + ["GET /things/{any}/z"]
    + (0..<20).map { "GET /{who}/things/z\($0)" }

  private func model() throws -> ServiceModel {
    let routes = Self.lines.map { #"{"on": "\#($0)", "next": [{"reply": {"status": 200}}]}"# }
    let service = #"{"service": "server", "routes": [\#(routes.joined(separator: ",\n"))]}"#
    let flow = #"""
      {"flow": "sample", "title": "t", "start": "a",
       "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
        "server": {"kind": "service", "url": "https://s.example", "model": "server.json"}},
       "states": {"a": {"request": {"to": "server", "get": "/things/t1"}, "next": [{"goto": "b"}]}, "b": {"goal": true}}}
      """#
    var documents = Documents(texts: ["sample.json": flow, "server.json": service])
    let checked = documents.flow()
    return try #require(checked.value?.services.first?.model, "\(checked.diagnostics.map(\.message))")
  }

  @Test func ofManyRoutesTheFirstThatFitsAnswers() throws {
    let model = try model()
    let paths = [
      ("GET", ["things", "t0"]), ("GET", ["things", "t7"]), ("POST", ["things", "t7"]), ("GET", ["things", "t(5)"]),
      ("GET", ["things", "t35"]), ("GET", ["things", "late"]), ("GET", ["things", "t99"]), ("GET", ["things", ""]),
      ("GET", ["me", "things", "z19"]), ("GET", ["things", "things", "z"]), ("GET", ["a", "b", "only"]),
      ("GET", ["me", "things", "z20"]), ("PUT", ["things", "t7"]), ("GET", []), ("GET", ["things"]),
    ]
    for (method, path) in paths {
      let texts = path.map { Text($0) }
      let first = model.routes.firstIndex { $0.takes(method, texts) }
      #expect(model.route(method, texts) == first, "\(method) \(path)")
    }
  }

  @Test func whatIsAskedOfManyRoutesIsFound() throws {
    let routes = Self.lines.map { #"{"on": "\#($0)", "next": [{"reply": {"status": 200}}]}"# }
    let paths = ["/things/t${config.k}", "/things/t5", "/${config.k}/things/z4", "/things/t(${config.k})"]
    let states = paths.enumerated().map { index, path in
      #""s\#(index)": {"request": {"to": "server", "get": "\#(path)"}, "next": [{"goto": "s\#(index + 1)"}]}"#
    }
    let flow = #"""
      {"flow": "sample", "title": "t", "config": {"k": {"type": "string", "value": "v"}}, "start": "s0",
       "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
        "server": {"kind": "service", "url": "https://s.example", "model": "server.json"}},
       "states": {\#(states.joined(separator: ",\n")), "s4": {"goal": true}}}
      """#
    let service = #"{"service": "server", "routes": [\#(routes.joined(separator: ",\n"))]}"#
    var documents = Documents(texts: ["sample.json": flow, "server.json": service])
    let asked = try #require(documents.flow().value?.askedRoutes().first)
    let lines = zip(Self.lines, asked).filter(\.1).map(\.0)
    // A text with an expression in it may become any that is written out.
    let things = Self.lines.filter { $0.hasPrefix("GET /things/") && $0 != "GET /things/{any}/z" }
    #expect(lines == things + ["GET /{who}/things/z4"])
  }

  @Test func addressesAreHeldAgainstManyLinksAndRedirectURIs() {
    let links = (0..<20).map { #""l\#($0)": "https://app.example/l\#($0)/{token}""# }
    let mailed = ["https://app.example/l3/x", "https://app.example/l4/${store.k}", "https://app.example/m3/x"]
    let sent = mailed.enumerated().map { #""m\#($0)": {"links": {"go": "\#($1)"}}"# }.map { #"{"send": {\#($0)}}"# }
    let redirects = (0..<20).map { #""com.app:/back\#($0)""# }
    let service = #"""
      {"service": "server", "store": {"k": {"type": "string", "initial": "v"}}, "routes": [
        {"on": "POST /a", "next": [{"do": [\#(sent.joined(separator: ", "))], "reply": {"status": 202}}]},
        {"on": "GET /b", "next": [{"reply": {"redirect": {"uri": "com.app:/back7?code=1"}}}]},
        {"on": "GET /c", "next": [{"reply": {"redirect": {"uri": "com.app:/bakc7?code=1"}}}]}]}
      """#
    let flow = #"""
      {"flow": "sample", "title": "t", "start": "a",
       "participants": {"user": {"kind": "person"}, "inbox": {"kind": "inbox"}, "web": {"kind": "browser"},
        "app": {"kind": "app", "links": {\#(links.joined(separator: ", "))},
         "redirectUris": [\#(redirects.joined(separator: ", "))]},
        "server": {"kind": "service", "url": "https://s.example", "model": "server.json"}},
       "states": {"a": {"request": {"to": "server", "post": "/a"}, "next": [{"goto": "b"}]}, "b": {"goal": true}}}
      """#
    var documents = Documents(texts: ["sample.json": flow, "server.json": service])
    let found = documents.told("unanswered-request", of: "sample.json")
    #expect(
      found.map(\.message) == [
        "no service has this address, and no link of the app is like it",
        "this is no redirect URI of the app, though it has the scheme of one",
      ])
    #expect(found.last?.help == "did you mean com.app:/back7?")
  }

  /// RFC 6749, section 4.1.1: the service sends the browser there, and nobody takes it.
  @Test(arguments: [
    (#""query": {"redirect_uri": "com.app:/bakc"}"#, true), (#""query": {"redirect_uri": "${config.k}c"}"#, true),
    (#""query": {"redirect_uri": "${config.k}"}"#, false), (#""query": {"redirect_uri": "com.app:/back?x=1"}"#, false),
    // It may be anything; what comes of it; another's address; another name.
    (#""query": {"redirect_uri": "com.app:/${store.s}"}"#, false),
    (#""query": {"redirect_uri": "https://s.example/back"}"#, false),
    (#""query": {"redirect_uri": "com.app://in/${store.s}"}"#, false),
    (#""query": {"redirect_uri": "com.app://in/x"}"#, false), (#""query": {"next": "com.app:/bakc"}"#, false),
  ])
  func anAddressToComeBackToThatIsNoneOfTheAppsIsTold(query: String, isTold: Bool) {
    let flow = #"""
      {"flow": "sample", "title": "t", "config": {"k": {"type": "string", "value": "com.app:/back"}}, "start": "a",
       "store": {"s": {"type": "string"}},
       "participants": {"user": {"kind": "person"}, "web": {"kind": "browser"},
        "app": {"kind": "app", "redirectUris": ["${config.k}"], "links": {"in": "com.app://in/{token}"}}, "server": {"kind": "service", "url": "https://s.example"}},
       "states": {"a": {"goal": true, "do": [{"open": {"to": "server", "get": "/authorize", \#(query)}}]}}}
      """#
    var documents = Documents(texts: ["sample.json": flow])
    let found = documents.flow().diagnostics.filter { $0.code == "unanswered-request" || $0.severity == .error }
    let message = "this is no redirect URI of the app, though it has the scheme of one"
    #expect(found.map(\.message) == (isTold ? [message] : []), "\(query)")
  }
}
