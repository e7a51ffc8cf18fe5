import FlowSpec
import Testing

@testable import FlowEngine

/// Section 8, faults of a scenario.
@Suite struct FaultTests {
  private static let api = #"""
    "store": {"n": {"type": "int", "initial": 0}}, "routes": [
      {"on": "GET /x", "next": [{"name": "busy", "sometimes": true, "reply": {"status": 503}}, {"do": [{"set": {"n": "${store.n + 1}"}}], "reply": {"status": 200}}]},
      {"on": "GET /x/{id}", "next": [{"goto": "relays"}]}],
    "states": {"relays": {"request": {"to": "other", "get": "/x"}, "next": [{"reply": {"status": 200}}]}}
    """#
  private static let other = #""routes": [{"on": "GET /x", "next": [{"reply": {"status": 204}}]}]"#

  private static let app = Sketch(
    flow: #"""
      "events": {"user.again": {}, "user.relays": {}, "user.other": {}}, "start": "ask", "states": {
        "ask": {"request": {"to": "api", "get": "/x"}, "next": [{"goto": "done"}]},
        "relay": {"request": {"to": "api", "get": "/x/1"}, "next": [{"goto": "done"}]},
        "other": {"request": {"to": "other", "get": "/x"}, "next": [{"goto": "done"}]},
        "done": {"goal": true, "on": {"user.again": {"goto": "ask"}, "user.relays": {"goto": "relay"}, "user.other": {"goto": "other"}}}}
      """#, services: ["api": api, "other": other])

  private static let again = #"{"event": "user.again"}"#

  private static func answers(_ scenario: String) throws -> [String] {
    try Story(app.load()).lines(of: app.run(scenario)).filter { $0.contains(" → app ") || $0.hasPrefix("problem") }
      .map { $0.replacing(" → app", with: "") }
  }

  @Test func nthCountsTriesOverTheRun() throws {
    #expect(
      try Self.answers(
        #""script": [\#(Self.again), \#(Self.again), {"relaunch": true}], "faults": [{"request": "GET /x", "to": "api", "nth": 4, "reply": "busy"}, {"request": "GET /x", "to": "api", "nth": 2, "unreachable": true}]"#
      )
        == ["api 200", "api unreachable", "api 200", "api 503"])
  }

  @Test func everyStrikesEachTry() throws {
    #expect(
      try Self.answers(
        #""script": [\#(Self.again)], "faults": [{"request": "GET /x", "to": "api", "nth": "every", "reply": "busy"}]"#)
        == ["api 503", "api 503"])
  }

  /// As many steps as there are requests: each is asked for before the next step.
  @Test func aFaultInTheScriptCountsFromThere() throws {
    func fault(_ more: String) -> String { #"{"fault": {"request": "GET /x", "to": "api", \#(more)}}"# }
    let again = Self.again
    #expect(
      try Self.answers(#""script": [\#(fault(#""reply": "busy""#)), \#(again), \#(again)]"#) == [
        "api 200", "api 503", "api 200",
      ])
    #expect(
      try Self.answers(
        #""faults": [{"request": "GET /x", "to": "api", "nth": 2, "unreachable": true}], "script": [\#(again), \#(fault(#""nth": 2, "reply": "busy""#)), \#(again), \#(again), \#(fault(#""nth": "every", "lost": true"#)), \#(again), \#(again)]"#
      ) == ["api 200", "api unreachable", "api 200", "api 503", "api lost", "api lost"])
    let late = fault(#""nth": 2, "reply": "busy""#)
    try checkProblem(
      Self.app, #""script": [\#(again), \#(late), \#(again)]"#, is: "fault-never-struck",
      at: #"{"request": "GET /x", "to": "api", "nth""#)
    try checkProblem(
      Self.app, #""script": [\#(fault(#""lost": true"#)), \#(fault(#""reply": "busy""#)), \#(again)]"#,
      is: "two-faults", at: #"{"request": "GET /x", "to": "api", "lost"#)
  }

  @Test func aFaultNamesToAndFrom() throws {
    #expect(
      try Self.answers(
        #""script": [{"event": "user.relays"}, {"event": "user.other"}], "faults": [{"request": "GET /x", "to": "other", "from": "app", "answer": {"status": 418}}]"#
      )
        == ["api 200", "api 200", "other 418"])
    try checkStory(
      Self.app,
      #""script": [{"event": "user.other"}, {"event": "user.relays"}], "faults": [{"request": "GET /x", "to": "other", "from": "api", "answer": {"status": 418}}]"#,
      has: "other → app 204\napi in relays\nother → api 418\napi → app 200")
  }

  /// What is not the usual answer can be a slow one, too.
  @Test(arguments: [
    (#""reply": "busy", "delay": "10s""#, "GET /x is answered \"busy\", after 10s", "+10s\napi → app 503"),
    (
      #""answer": {"status": 502}, "delay": "10s""#, "GET /x is answered 502 in place of the model, after 10s",
      "+10s\napi → app 502"
    ),
    (
      #""answer": {"status": 502}, "delay": "1h""#, "GET /x is answered 502 in place of the model, after 1h",
      "+30s\napi → app lost"
    ),
  ])
  func whateverIsAnsweredCanComeLater(effect: String, words: String, told: String) throws {
    try checkStory(
      Self.app, #""script": [], "faults": [{"request": "GET /x", "to": "api", \#(effect)}], "ends": "done""#,
      has: "fault: \(words)\n\(told)")
  }

  /// A proxy gives up while the server does what it was asked for.
  @Test func anotherAnswerMayComeInPlaceOfTheModels() throws {
    let shop = Sketch(
      flow: #"""
        "events": {"user.again": {}}, "start": "ask", "states": {
          "ask": {"request": {"to": "api", "post": "/orders"}, "next": [{"goto": "done"}]},
          "done": {"goal": true, "on": {"user.again": {"goto": "ask"}}}}
        """#,
      services: [
        "api": #"""
        "store": {"n": {"type": "int", "initial": 0}}, "routes": [{"on": "POST /orders", "next": [
          {"when": "store.n > 0", "reply": {"status": 409}}, {"do": [{"set": {"n": 1}}], "reply": {"status": 201}}]}]
        """#
      ])
    func told(_ effect: String) throws -> [String] {
      let fault = #"{"request": "POST /orders", \#(effect)}"#
      return try Story(shop.load()).lines(of: shop.run(#""script": [\#(Self.again)], "faults": [\#(fault)]"#))
        .filter { $0.hasPrefix("fault") || $0.contains(" → app ") || $0.hasPrefix("problem") }
    }
    #expect(
      try told(#""lost": true, "answer": {"status": 504}"#) == [
        "fault: POST /orders is received, and answered 504 on the way", "api → app 504",
        "api → app 409",
      ])
    #expect(
      try told(#""answer": {"status": 504}"#) == [
        "fault: POST /orders is answered 504 in place of the model", "api → app 504", "api → app 201",
      ])
  }

  @Test func twoFaultsForOneTryAreAnError() throws {
    try checkProblem(
      Self.app,
      #""faults": [{"request": "GET /x", "to": "api", "lost": true}, {"request": "GET /x", "to": "api", "nth": "every", "delay": "1s"}], "ends": "done""#,
      is: "two-faults", at: #"{"request": "GET /x", "to": "api", "lost"#)
  }

  @Test func aFaultThatNeverStruckIsAnError() throws {
    try checkProblem(
      Self.app, #""faults": [{"request": "GET /x", "to": "api", "nth": 2, "lost": true}]"#, is: "fault-never-struck",
      at: #"{"request": "GET /x", "to": "api", "nth""#,
      says: "This fault never struck: GET /x is received, and its answer is lost")
  }

  /// The right help: to lead the script there, to let time pass, or to count.
  @Test(arguments: [
    (#""rest": true, "on": {"user.asks": {"goto": "ask"}}"#, "the run never comes to it: let the script lead there"),
    (
      #""rest": true, "after": [{"wait": "1h", "name": "late", "goto": "ask"}]"#,
      #"the timer "wait: late" is still set: {"advance": "1h"} lets it go off, at +1h"#
    ),
    (#""next": [{"goto": "ask"}]"#, #"count its tries in the trace, and set "nth""#),
  ])
  func theHelpForAFaultThatNeverStruckIsTheRightOne(leading: String, help: String) throws {
    let sketch = Sketch(
      flow: #"""
        "events": {"user.asks": {}}, "start": "wait", "states": {
          "wait": {\#(leading)},
          "ask": {"request": {"to": "api", "get": "/x"}, "next": [{"goto": "done"}]}, "done": {"goal": true}}
        """#,
      services: ["api": Self.api, "other": Self.other])
    let outcome = try sketch.run(
      #""script": [], "faults": [{"request": "GET /x", "to": "api", "nth": 2, "lost": true}]"#)
    #expect(outcome.problems.first { $0.code == "fault-never-struck" }?.help == help)
  }

  @Test(arguments: ["", #""nth": "every", "#])
  func aFaultOfATryWithoutANetworkSaysSo(nth: String) throws {
    let outcome = try Self.app.run(
      #""given": {"device": {"online": false}}, "faults": [{"request": "GET /x", "to": "api", \#(nth)"lost": true}], "script": []"#
    )
    let problem = outcome.problems.first { $0.code == "fault-never-struck" }
    #expect(problem?.labels.first?.text == "try 1 had no network, so it was not sent")
    #expect(problem?.help == #"let the script go online before, or set "nth": tries without a network count, too"#)
  }

  /// Somebody has asked, and not who is meant.
  @Test func aFaultForAnotherWhoAsksSaysWhoDid() throws {
    let sketch = Sketch(
      flow: #"""
        "start": "ask", "states": {
          "ask": {"request": {"to": "other", "get": "/y"}, "next": [{"goto": "done"}]}, "done": {"goal": true}}
        """#,
      services: [
        "api": Self.api,
        "other":
          #""routes": [{"on": "GET /y", "next": [{"goto": "asking"}]}], "states": {"asking": {"request": {"to": "api", "get": "/x"}, "next": [{"reply": {}}]}}"#,
      ])
    let outcome = try sketch.run(
      #""script": [], "faults": [{"request": "GET /x", "to": "api", "from": "app", "lost": true}]"#)
    let help = outcome.problems.first { $0.code == "fault-never-struck" }?.help
    #expect(help == #"it was asked by "other": name that as "from""#)
  }

  @Test func ofVeryManyFaultsThatNeverStruckTheFirstAreTold() throws {
    let faults = (2...1_100).map { #"{"request": "GET /x", "to": "api", "nth": \#($0), "lost": true}"# }
    let outcome = try Self.app.run(#""faults": [\#(faults.joined(separator: ", "))]"#)
    #expect(Story.codes(of: outcome) == Array(repeating: "fault-never-struck", count: 1_000))
  }

  /// A try that the device cannot send counts, and nothing but the missing network happens to it.
  @Test func aTryWithoutNetworkCountsAndIsNotStruck() throws {
    let offline = #""given": {"device": {"online": false}}"#
    #expect(
      try Self.answers(
        #"\#(offline), "script": [{"online": true}, \#(Self.again)], "faults": [{"request": "GET /x", "to": "api", "nth": 2, "reply": "busy"}]"#
      )
        == ["api unreachable", "api 503"])
    try checkStory(
      Self.app, #"\#(offline), "script": [], "faults": [{"request": "GET /x", "to": "api", "reply": "busy"}]"#,
      has: "api → app unreachable\nproblem fault-never-struck at {\"request\": \"GET /x\", \"to\": \"api\", \"repl")
  }

  @Test func anAnswerIsATemplateOverConfigAndNow() throws {
    let sketch = Sketch(
      flow: #"""
        "config": {"c": {"type": "string", "value": "C"}}, "start": "ask", "states": {
          "ask": {"request": {"to": "api", "get": "/x"}, "next": [{"do": [{"show": {"got": {"j": "${response.json}", "h": "${response.headers['x-h']}"}}}], "goto": "done"}]},
          "done": {"goal": true}}
        """#, services: ["api": Self.api, "other": Self.other])
    try checkStory(
      sketch,
      #""faults": [{"request": "GET /x", "to": "api", "answer": {"headers": {"X-H": "1"}, "json": {"c": "${config.c}", "at": "${now}"}}}]"#,
      has: #"show got {j={"c":"C","at":"2026-01-01T09:00:00Z"}, h=1}"#)
  }

  @Test func aHeldAnswerOfAnExchangeThatTakesTimeComesSoMuchLater() throws {
    try checkStory(
      Self.app,
      #""script": [{"event": "user.relays"}], "faults": [{"request": "GET /x", "to": "other", "delay": "2s"}, {"request": "GET /x/{id}", "delay": "3s"}]"#,
      has: "api in relays\n+2s\nother → api 204\n+3s\napi → app 200\nin done")
  }
}
