import FlowSpec
import Testing

/// Which of the conditions of a request are told to hold for a failure that they do not ask for.
private func told(_ conditions: String...) -> [String] {
  let next = conditions.map { #"{"when": \#($0.hasPrefix("{") ? $0 : "\"\($0)\""), "goto": "done"}"# }
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
      "api": {"kind": "service", "url": "https://api.example"}}, "start": "ask",
      "store": {"kept": {"type": "bool", "initial": false}}, "let": {"good": "response.status < 300"},
      "states": {"ask": {"request": {"to": "api", "get": "/x"}, "next": [\#(next.joined(separator: ", ")), {"goto": "done"}]},
        "done": {"goal": true}}}
    """#
  ])
  return documents.told("status-without-failure").map {
    "\($0.severity) \($0.message.contains("'unreachable'") ? "unreachable" : "lost")"
  }
}

@Suite struct HalfAskedFailureTests {
  @Test(arguments: [
    ("response.status < 300 || response.failure == 'lost'", "unreachable"),
    ("response.failure == 'unreachable' || response.status < 300", "lost"),
    ("response.status < 300 && response.failure != 'lost'", "unreachable"),
    ("good || response.failure == 'lost'", "unreachable"),
    (#"{"any": ["response.status < 300", "response.failure == 'lost'"]}"#, "unreachable"),
    (#"{"all": ["response.status != 500", {"not": "response.failure == 'lost'"}]}"#, "unreachable"),
  ]) func whoAsksForOneHasNotAskedForTheOther(condition: String, failure: String) {
    #expect(told(condition) == ["warning \(failure)"])
  }

  /// What else is read decides nothing where the status alone is enough.
  @Test(arguments: [
    "response.status < 300 || (store.kept && response.status == 404)",
    "store.kept && response.status == 404 || good",
    #"{"any": ["good", {"all": ["store.kept", "response.status == 404"]}]}"#,
    #"{"not": {"all": ["response.status >= 300", {"any": ["store.kept", "response.status != 404"]}]}}"#,
    "store.kept && response.status < 300",
  ]) func whatHoldsWhateverElseIsSoIsTold(condition: String) { #expect(told(condition) == ["error lost"]) }

  @Test(arguments: [
    "response.status == 0 || store.kept && response.status < 300",
    "!(response.status > 0) || response.status == 503 && store.kept", "response.status / 100 == 0 || store.kept",
    "same(response.status, 0) || store.kept",
    "response.status >= 200 && response.status < 300 || store.kept && response.status == 404",
    "response.status < 300 && (store.kept && response.status == 204)",
    "response.failure != null || store.kept && response.status < 300",
    "store.kept && (response.status < 300) == false && response.status != 500",
    "store.kept || response.status == 404", "store.kept ? response.status < 300 : response.status == 404",
  ]) func whatElseIsReadMayDecide(condition: String) { #expect(told(condition) == []) }

  /// Whatever else a transition may be taken for, behind it there is no failure.
  @Test func whatSurelyTakesEveryFailureLeavesNone() {
    #expect(told("response.failure != null || store.kept", "response.status < 500") == [])
    #expect(told("store.kept || response.status == 0", "response.status < 500") == [])
    #expect(told(#"{"any": ["store.kept", "response.failure != null"]}"#, "response.status < 500") == [])
    let half = ["response.failure == 'lost' || store.kept", "response.failure == 'unreachable' || store.kept"]
    #expect(told(half[0], half[1], "response.status < 500") == [])
    #expect(told(half[0], "response.status < 500") == ["error lost"])
    #expect(told("response.failure != null && store.kept", "response.status < 500") == ["error lost"])
    #expect(told("store.kept", "response.status < 500") == ["error lost"])
  }

  /// What earlier transitions have taken does not come to a later one.
  @Test func whatIsTakenBeforeIsNotTold() {
    let range = "response.status < 200 || response.status > 299"
    #expect(told(range) == ["error lost"])
    #expect(told("response.failure != null", range) == [])
    #expect(told("response.failure == 'lost'", "response.failure == 'unreachable'", range) == [])
    #expect(told("response.status == 0", "response.status / 100 != 2") == [])
    #expect(told("response.failure == 'lost'", range) == ["error lost"])
    #expect(told("response.status in [0, 500, 503]") == [])
    #expect(told("!(response.status >= 100 && response.status < 400)") == ["error lost"])
  }

  @Test(arguments: [
    "response.failure != null || response.status < 500", "response.failure == null && response.status < 300",
    "response.status >= 200 && response.status < 300 || response.failure == 'lost'", "response.failure == 'lost'",
    "response.failure in ['lost', 'unreachable'] || response.status != 200",
    "response.status == 0 && response.failure == 'lost'", "response.status < 200 && response.failure == 'lost'",
    "response.failure != null && response.status == 0", "response.status == 0 || response.failure == 'lost'",
    // What is kept decides as well.
    "response.status < 300 && store.kept || response.failure == 'lost'",
    #"{"all": ["response.failure == null", "response.status < 300"]}"#,
  ]) func whoAsksForBothIsNotTold(condition: String) { #expect(told(condition) == []) }

  /// What an earlier transition takes is left for no other.
  @Test func whatWasTakenBeforeIsNotAskedForAgain() {
    let late = "response.status < 300 || response.failure == 'lost'"
    #expect(told("response.failure == 'unreachable'", late) == [])
    #expect(told("response.failure == 'unreachable' && store.kept", late) == [])
    #expect(told("response.status == 401", late) == ["warning unreachable"])
  }
}
