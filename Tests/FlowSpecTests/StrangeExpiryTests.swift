import FlowSpec
import Testing

/// What is said of an instant that this makes of an answer, with lets and a key of this type.
private func told(_ value: String, lets: String = "", type: String = "timestamp") -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
       "id": {"kind": "service", "url": "https://id.example"}},
     "config": {"early": {"type": "duration", "value": "30s"}, "late": {"type": "duration", "value": "30s"}},
     "store": {"until": {"type": "\#(type)"}, "spare": {"type": "duration", "initial": "1h"}},
     "let": {"lifetime": "int(response.json.expires_in)", "early": "config.early"\#(lets)},
     "start": "asking", "states": {
       "asking": {"request": {"to": "id", "post": "/token", "json": {}},
         "next": [{"when": "response.status == 200", "do": [{"set": {"until": "\#(value)"}}], "goto": "home"}, {"goto": "out"}]},
       "out": {"rest": true, "after": [{"wait": "1h", "goto": "asking"}]},
       "home": {"goal": true, "after": [{"at": "${now + store.spare}", "when": "present(store.until) && early < config.late", "goto": "asking"}]}}}
    """#
  ])
  return documents.told("strange-expiry").map { $0.labels[0].text }
}

/// What is made of the lifetime of a token.
@Suite struct StrangeExpiryTests {
  @Test(arguments: [
    "${now + seconds(lifetime + 10)}", "${now + seconds(int(response.json.expires_in)) + config.late}",
    "${now + duration('10s') + seconds(isInt(response.json.?expires_in) ? int(response.json.expires_in) : 60)}",
  ])
  func whatCountsAsGoodForTooLongIsTold(value: String) {
    #expect(told(value).count == 1 && told(value)[0].hasSuffix("where it says 3600"), "\(told(value))")
  }

  @Test(arguments: [
    "${now + seconds(lifetime / 1000)}", "${now + seconds(lifetime / 3600)}", "${now + seconds(1)}",
    "${now + seconds(lifetime - 7200)}",
    "${now + seconds(lifetime / 60)}",
  ])
  func whatIsOverAtOnceIsTold(value: String) {
    let isOfAnswer = value.contains("lifetime")
    #expect(told(value).count == (isOfAnswer ? 1 : 0), "\(told(value))")
  }

  @Test func millisecondsAreTold() {
    #expect(told("${now + seconds(lifetime * 1000)}") == ["is 3600000s where it says 3600"])
    #expect(told("${seconds(lifetime * 60)}", type: "duration") == ["is 216000s where it says 3600"])
  }

  @Test(arguments: [
    "${now + seconds(lifetime)}", "${now + seconds(lifetime - 60)}", "${now + seconds(lifetime) - config.early}",
    "${now + seconds(lifetime / 2)}",
    "${now + seconds(lifetime < 20 ? 10 : lifetime > 31536000 ? 31536000 : lifetime - 10)}",
    "${now + seconds(goodFor)}",
    // Who is careful takes no more than so much.
    "${now + seconds(lifetime > 30 ? 30 : lifetime)}",
    // What else it is made of is known in a run alone.
    "${present(response.json.?forever) ? now + duration('24h') : now + seconds(lifetime)}",
    "${present(response.json.?access) ? now + seconds(lifetime) : now + duration('24h')}",
    "${now + seconds(lifetime) + store.spare}",
  ])
  func whatIsInTimeIsNotTold(value: String) {
    #expect(told(value, lets: #", "goodFor": "lifetime < 0 ? 0 : lifetime""#) == [])
  }
}
