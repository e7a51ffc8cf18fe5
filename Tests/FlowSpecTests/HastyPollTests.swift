import FlowSpec
import Testing

/// What is said of a device's poll that goes on where this holds and does this then, after this wait.
private func told(
  pending: String = "error == 'authorization_pending'", do actions: String = "", slower: String = "",
  wait: String = "5s",
  also: String = "", deciding: String = #""next": [{"goto": "polling"}]"#, retry: String = ""
) -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
       "id": {"kind": "service", "url": "https://id.example"}},
     "memory": {"deviceCode": {"type": "string", "secret": true}, "pause": {"type": "duration", "initial": "5s"}, "until": {"type": "timestamp"}},
     "let": {"error": "response.json.?error.orValue('')"},
     "start": "asking", "states": {
       "asking": {"request": {"to": "id", "post": "/device", "form": {"client_id": "tv"}}, "next": [
         {"when": "response.status == 200", "do": [{"set": {"deviceCode": "${string(response.json.device_code)}"\#(also)}}], "goto": "waiting"},
         {"goto": "out"}]},
       "waiting": {"rest": true, "after": [{"wait": "\#(wait)", "goto": "deciding"}]},
       "deciding": {\#(deciding)},
       "polling": {"request": {"to": "id", "post": "/token", "form": {
           "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": "${memory.deviceCode}"}\#(retry)},
         "next": [{"when": "response.status == 200", "goto": "home"}\#(slower),
           {"when": "response.status == 400 && \#(pending)", "do": [\#(actions)], "goto": "waiting"},
           {"goto": "out"}]},
       "out": {"rest": true, "after": [{"wait": "\#("${memory.pause}")", "goto": "asking"}]}, "home": {"goal": true}}}
    """#
  ])
  return documents.told("hasty-poll").map { $0.labels[0].text }
}

/// Polls for tokens that heed nothing that the server says of them.
@Suite struct HastyPollTests {
  private static let either = #"holds for "slow_down" as for "authorization_pending""#
  private static let growing = #"{"set": {"pause": "${memory.pause + duration('5s')}"}}"#

  @Test func whatComesNoLaterIsTold() {
    #expect(told(pending: "error in ['authorization_pending', 'slow_down']") == [Self.either])
    #expect(told(pending: "error != 'expired_token' && error != 'access_denied'") == [Self.either])
  }

  @Test func whatWaitsForLongerIsNot() {
    #expect(told() == [])
    #expect(told(pending: "error in ['authorization_pending', 'slow_down']", do: Self.growing) == [])
    let slower = #", {"when": "error == 'slow_down'", "do": [\#(Self.growing)], "goto": "waiting"}"#
    #expect(told(pending: "error != 'expired_token'", slower: slower) == [])
  }

  @Test func whatNeverEndsIsTold() {
    let slower = #", {"when": "error == 'slow_down'", "do": [\#(Self.growing)], "goto": "waiting"}"#
    #expect(
      told(pending: "error != 'slow_down'", slower: slower) == [
        #"holds for "expired_token" as for "authorization_pending""#
      ])
    let over = #""next": [{"when": "expired(memory.until)", "goto": "out"}, {"goto": "polling"}]"#
    let until = #", "until": "${now + duration('10m')}""#
    #expect(told(pending: "error != 'slow_down'", slower: slower, also: until, deciding: over) == [])
  }

  @Test func whatComesSoonerThanTheServerMayAskForIsTold() {
    #expect(told(wait: "1s") == ["is less than 5s"])
    #expect(told(wait: "1s", also: #", "pause": "${seconds(int(response.json.interval))}""#) == [])
    #expect(told(wait: "${memory.pause}") == [])
  }

  /// Who ends the sign-in by each other answer polls once.
  @Test func whatLeadsElsewhereIsNot() {
    #expect(told(pending: "error == 'strange'") == [])
  }

  @Test func aRetryThatComesNoLaterIsToldToo() {
    func retry(_ when: String, _ more: String = "") -> String {
      #", "retry": {"when": "response.status == 400 && \#(when)", "most": 100, "wait": "5s"\#(more)}"#
    }
    let either = "error in ['authorization_pending', 'slow_down']"
    #expect(told(pending: "false && error == ''", retry: retry(either)) == [Self.either])
    #expect(told(pending: "false && error == ''", retry: retry(either, #", "factor": 1.5"#)) == [])
    #expect(told(pending: "false && error == ''", retry: retry("error == 'authorization_pending'")) == [])
  }
}
