import FlowSpec
import Testing

/// What is said of a device's poll that goes on where this holds and does this then, after this wait.
private func told(
  pending: String = "error == 'authorization_pending'", do actions: String = "", slower: String = "",
  wait: String = "5s",
  also: String = "", deciding: String = #""next": [{"goto": "polling"}]"#, retry: String = "",
  lost: String = #"{"when": "response.failure != null", "goto": "waiting"}"#, again: String = "asking",
  over: String = ""
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
       "waiting": {"rest": true, "after": [{"wait": "\#(wait)", "goto": "deciding"}\#(over)]},
       "deciding": {\#(deciding)},
       "polling": {"request": {"to": "id", "post": "/token", "form": {
           "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": "${memory.deviceCode}"}\#(retry)},
         "next": [{"when": "response.status == 200", "goto": "home"}\#(slower),
           {"when": "response.status == 400 && \#(pending)", "do": [\#(actions)], "goto": "waiting"},
           \#(lost), {"goto": "out"}]},
       "out": {"rest": true, "after": [{"wait": "\#("${memory.pause}")", "goto": "\#(again)"}]}, "home": {"goal": true}}}
    """#
  ])
  return documents.told("strange-poll").map { $0.labels[0].text }
}

/// Polls for tokens that heed nothing that the server says of them.
@Suite struct StrangePollTests {
  private static let either = #"holds for "slow_down""#
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
    #expect(told(wait: "1s") == ["comes sooner than in 5s"])
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

  @Test func oneLostAnswerEndsNoPoll() {
    let given = ["is taken where no answer came"]
    #expect(told(lost: #"{"when": "response.failure != null", "goto": "out"}"#) == given)
    #expect(told(lost: #"{"when": "response.failure != null", "end": "over"}"#) == given)
    #expect(told(lost: #"{"when": "response.failure != null", "goto": "waiting"}"#) == [])
    #expect(told(lost: #"{"when": "response.failure != null", "goto": "out"}"#, again: "polling") == [])
  }

  @Test func aTransitionOfItsOwnThatWaitsNoLongerIsToldToo() {
    #expect(told(slower: #", {"when": "error == 'slow_down'", "goto": "waiting"}"#) == [Self.either])
    let growing =
      #"[{"when": "memory.pause < duration('60s')", "do": [\#(Self.growing)], "goto": "polling"}, {"goto": "polling"}]"#
    #expect(told(pending: "error in ['authorization_pending', 'slow_down']", deciding: #""next": \#(growing)"#) == [])
  }

  @Test func whatTimeOrACountEndsIsNot() {
    let slower = #", {"when": "error == 'slow_down'", "do": [\#(Self.growing)], "goto": "waiting"}"#
    let counting = #""next": [{"when": "memory.until == null", "goto": "out"}, {"goto": "polling"}]"#
    #expect(told(pending: "error != 'slow_down'", slower: slower, deciding: counting) == [])
    #expect(told(pending: "error != 'slow_down'", slower: slower, over: #", {"wait": "10m", "goto": "out"}"#) == [])
  }

  /// The waits of one time round count together.
  @Test func twoShortWaitsAreOneLongOne() {
    #expect(told(wait: "3s", deciding: #""rest": true, "after": [{"wait": "3s", "goto": "polling"}]"#) == [])
    #expect(
      told(wait: "1s", deciding: #""rest": true, "after": [{"wait": "3s", "goto": "polling"}]"#) == [
        "comes sooner than in 5s"
      ])
  }

  /// The same timer is the same wait, however long that is.
  @Test func aTransitionOfItsOwnToTheSameTimerIsToldToo() {
    let slower = #", {"when": "error == 'slow_down'", "goto": "waiting"}"#
    #expect(told(slower: slower, wait: "${memory.pause}") == [Self.either])
  }
}
