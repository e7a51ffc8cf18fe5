import FlowSpec
import Testing

/// What is said of a flow in which two requests and a call have a sub-flow renew the token, with this behind each; the
/// line of each says which it is.
private func told(
  looking: String = #"{"goto": "home"}"#, leaving: String = #"{"goto": "home"}"#,
  calling: String = #"{"goto": "home"}"#, despite: String = "",
  refusal: String = #"{"when": "response.status == 401", "end": "refused"},"#, inSubflow: String = ""
) -> [String] {
  let challenged = #""retry": {"when": "response.status == 401", "most": 1, "call": "renew"}"#
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
      "api": {"kind": "service", "url": "https://api.example"}}, "events": {"user.looks": {}, "user.leaves": {}},
      "store": {"refresh": {"type": "string", "secret": true}, "access": {"type": "string", "secret": true}},
      "flows": {"renew": {"ends": ["renewed", "refused", "not now", "cancelled"], "start": "choosing", "states": {
        "choosing": {"next": [{"when": "present(store.refresh)", "goto": "renewing"}, {"end": "cancelled"}]},
        "renewing": {"request": {"to": "api", "post": "/token", "json": {"refresh": "${store.?refresh}"}}, "next": [
          {"when": "response.status == 200", "do": [{"set": {"refresh": "${response.json.refresh}"}}], "end": "renewed"},
          \#(refusal) {\#(inSubflow) "end": "not now"}]}}}},
      "start": "home", "states": {
        "looking": {\#(despite) "request": {"to": "api", "get": "/me", "bearer": "${store.?access}", \#(challenged)}, "next": [\#(looking)]},
        "leaving": {"request": {"to": "api", "delete": "/me", "bearer": "${store.?access}", \#(challenged)}, "next": [\#(leaving)]},
        "calling": {"call": "renew", "next": [\#(calling)]},
        "home": {"goal": true, "on": {"user.looks": {"goto": "looking"}, "user.leaves": [
          {"when": "present(store.access)", "goto": "leaving"}, {"goto": "calling"}]}}}}
    """#
  ])
  return documents.flow("x.json").diagnostics.filter {
    ["cleared-on-failure", "despite-unused"].contains($0.code) || $0.severity == .error
  }.map { found in "\(found.severity) \(found.summary.split(separator: ":").prefix(2).joined(separator: ":"))" }
}

/// A sub-flow ends for want of a network, and each who calls it answers for what it clears then.
@Suite struct LostByCallersTests {
  private static let clears = #""do": [{"clear": ["access", "refresh"]}], "goto": "home"}"#
  private static let anyway = "{" + clears
  private static let troubled = #"{"when": "result.ended != null && result.ended != 'renewed'", "# + clears
  private static let lost = ["warning cleared-on-failure x.json:10"]

  @Test(arguments: [
    anyway, #"{"when": "response.status == 204", "# + clears + ", " + anyway,
    #"{"when": "response.status == 204", "# + clears + #", {"when": "result.ended == 'not now'", "# + clears
      + #", {"goto": "home"}"#,
  ])
  func whoClearsWhateverComesSignsOut(leaving: String) {
    #expect(told(leaving: leaving) == [])
    // What another does behind the same end is told of that.
    let looking = Self.troubled + #", {"goto": "home"}"#
    #expect(told(looking: looking, leaving: leaving) == Self.lost)
  }

  @Test func eachIsToldWhereItClears() {
    let next = Self.troubled + #", {"goto": "home"}"#
    #expect(told(looking: next, leaving: next) == Self.lost + ["warning cleared-on-failure x.json:11"])
  }

  @Test func whoClearsOverrulesForItselfAlone() {
    let next = Self.troubled + #", {"goto": "home"}"#
    let despite = #""despite": {"cleared-on-failure": "shared by many"},"#
    let overruled = ["remark cleared-on-failure x.json:10"]
    #expect(told(looking: next, despite: despite) == overruled)
    #expect(
      told(looking: next, leaving: next, despite: despite) == overruled + ["warning cleared-on-failure x.json:11"])
    #expect(told(looking: next, inSubflow: despite) == ["warning despite-unused x.json:8"] + Self.lost)
  }

  /// No caller can tell where trouble ends as a refusal does.
  @Test func anEndThatSaysRefusedIsToldInTheSubflow() {
    let refused = #"{"when": "result.ended == 'refused'", "# + Self.clears + #", {"goto": "home"}"#
    let inSubflow = #""when": "response.failure != null", "end": "refused"}, {"#
    let next = ["warning cleared-on-failure x.json:8"]
    #expect(told(looking: refused, leaving: refused, inSubflow: inSubflow) == next)
    #expect(told(looking: refused, leaving: refused) == [])
    // It may be the one for all but good answers.
    let troubled = Self.troubled + #", {"goto": "home"}"#
    #expect(told(looking: troubled, leaving: troubled, refusal: "") == next)
  }

  @Test func whoCallsItKeepsWhatGoodEndsKeep() {
    let renewed = #"{"when": "result.ended == 'renewed'", "goto": "home"}, "#
    #expect(told(calling: renewed + Self.anyway) == ["warning cleared-on-failure x.json:12"])
    #expect(told(calling: Self.anyway) == [])
    // To where it is cancelled nothing leads from where it went well.
    #expect(told(calling: #"{"when": "result.ended == 'cancelled'", "goto": "home"}, "# + Self.anyway) == [])
  }

  /// One caller comes to either of two ends, others surely to one of them, behind which more is cleared.
  @Test func endsThatOthersComeToTogetherAreLookedAtApart() {
    func found(_ order: [String]) -> [String] {
      let next = [
        "both": #""goto": "deciding""#, "first": #""end": "A""#, "second": #""end": "B""#, "none": #""end": "ok""#,
      ]
      let callers = order.map { name in
        #""\#(name)": {"call": "asks", "next": [{"when": "result.ended != 'failed'", "end": "ok"}, {\#(next[name] ?? "")}]}"#
      }
      let chosen = order.map { #"{"when": "memory.k == '\#($0)'", "goto": "\#($0)"}"# }
      var documents = Documents(texts: [
        "x.json": #"""
        {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
          "api": {"kind": "service", "url": "https://api.example"}}, "events": {"user.looks": {}},
          "store": {"access": {"type": "string", "secret": true}, "device": {"type": "string", "secret": true}},
          "memory": {"k": {"type": "string"}}, "start": "home", "states": {
            "home": {"goal": true, "on": {"user.looks": {"goto": "looking"}}},
            "looking": {"call": "choosing", "next": [{"when": "result.ended == 'ok'", "goto": "home"},
              {"when": "result.ended == 'A'", "do": [{"clear": "access"}], "goto": "home"},
              {"do": [{"clear": "device"}], "goto": "home"}]}},
          "flows": {
            "asks": {"ends": ["done", "refused", "failed"], "start": "asking", "states": {"asking": {"request": {"to": "api",
              "get": "/me", "bearer": "${store.?access}", "headers": {"x-device": "${store.?device}"}}, "next": [
              {"when": "response.status == 200", "end": "done"}, {"when": "response.status == 401", "end": "refused"},
              {"end": "failed"}]}}},
            "choosing": {"ends": ["ok", "A", "B"], "start": "start", "states": {
              "start": {"next": [\#(chosen.joined(separator: ", ")), {"end": "ok"}]},
              \#(callers.joined(separator: ", ")),
              "deciding": {"next": [{"when": "memory.k == 'x'", "end": "A"}, {"end": "B"}]}}}}}
        """#
      ])
      return documents.told("cleared-on-failure").map {
        "\($0.summary.split(separator: ":")[1])"
      }
    }
    for order in [["both", "first", "second"], ["second", "both", "first"], ["first", "second", "both"]] {
      #expect(found(order) == ["7", "8"], "\(order)")
    }
    #expect(found(["first", "both"]) == ["7"] && found(["both", "second"]) == ["8"])
    #expect(found(["both", "none"]) == [])
  }
}
