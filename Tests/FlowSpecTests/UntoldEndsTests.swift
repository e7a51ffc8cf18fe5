import FlowSpec
import Testing

/// What is said of a sub-flow with these ends, which callers go on from so.
private func told(ends: String, next: String, lets: String = "", retry: String = "", last: String = #"{"goto": "out"}"#)
  -> [String]
{
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
        "api": {"kind": "service", "url": "https://api.example"}}, "memory": {"why": {"type": "string"}},
      "let": {\#(lets)}, "events": {"user.stops": {}, "user.waits": {}, "user.leaves": {}}, "start": "asking",
      "flows": {"ask": {"ends": [\#(ends)], "start": "looking", "states": {"looking": {
        "request": {"to": "api", "get": "/"}, "next": [
          {"when": "response.status == 200", "end": "known"}, {"when": "response.status == 404", "end": "unknown"},
          {"when": "response.status == 423", "end": "locked"}, {"end": "not now"}]}}}},
      "states": {"asking": {"call": "ask", "next": [\#(next)\#(last)]},
        "in": {"goal": true, "on": {"user.stops": {"goto": "asking"}, "user.waits": {"goto": "again"}, "user.leaves": {"goto": "out"}}},
        "again": {"request": {"to": "api", "get": "/"\#(retry)}, "next": [{"goto": "in"}]},
        "out": {"rest": true, "on": {"user.stops": {"goto": "asking"}}}}}
    """#
  ])
  let found = documents.flow("x.json").diagnostics.filter { $0.code == "unused-end" || $0.severity == .error }
  return found.map(\.message)
}

@Suite struct UntoldEndsTests {
  private static let ends = #""known", "unknown", "locked", "not now""#
  private static let known = #"{"when": "result.ended == 'known'", "goto": "in"}, "#

  @Test func aSecondEndThatNobodyAsksForIsTold() {
    #expect(told(ends: Self.ends, next: Self.known) == [#"no caller of "ask" tells "not now" from "unknown""#])
    let more = Self.known + #"{"when": "result.ended in ['unknown', 'locked']", "goto": "out"}, "#
    #expect(told(ends: Self.ends, next: more) == [])
    let not = #"{"when": "result.ended != 'not now' && result.ended != 'locked'", "goto": "in"}, "#
    #expect(told(ends: Self.ends, next: not) == [#"no caller of "ask" tells "unknown" from "known""#])
  }

  @Test func whoAsksForNoneMeansAllOfThem() {
    #expect(told(ends: Self.ends, next: "", last: #"{"goto": "in"}"#) == [])
  }

  @Test func whatIsHandedOnIsToldApartLater() {
    let kept = #"{"when": "result.ended == 'known'", "do": [{"set": {"why": "${result.ended}"}}], "goto": "in"}, "#
    #expect(told(ends: Self.ends, next: kept) == [])
    let shown =
      #"{"when": "result.ended == 'known'", "do": [{"show": {"s": {"why": "${result.ended}"}}}], "goto": "in"}, "#
    #expect(told(ends: Self.ends, next: shown) == [])
  }

  @Test func aLetThatAsksCounts() {
    let next = #"{"when": "good", "goto": "in"}, {"when": "bad", "goto": "out"}, "#
    let lets = #""good": "result.ended == 'known'", "bad": "result.ended == 'unknown' || result.ended == 'locked'""#
    #expect(told(ends: Self.ends, next: next, lets: lets) == [])
  }

  /// The first end leads a retry to another try.
  @Test func whatARetryAsksForCounts() {
    let next =
      #"{"when": "result.ended == 'unknown'", "goto": "in"}, {"when": "result.ended == 'locked'", "goto": "out"}, "#
    #expect(told(ends: Self.ends, next: next) == [#"no caller of "ask" tells "not now" from "known""#])
    let retry = #", "retry": {"when": "response.status == 401", "call": "ask", "most": 1}"#
    #expect(told(ends: Self.ends, next: next, retry: retry) == [])
  }
}
