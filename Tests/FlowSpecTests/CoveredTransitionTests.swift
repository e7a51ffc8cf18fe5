import FlowSpec
import Testing

/// Which of these conditions behind an answer are told, by their numbers; none of the last transition.
private func never(_ conditions: String...) -> [Int] {
  let next = conditions.map { #"{"when": \#($0.hasPrefix("{") ? $0 : "\"\($0)\""), "goto": "done"}, "# }.joined()
  let text = #"""
    {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
      "api": {"kind": "service", "url": "https://api.example"}}, "start": "ask", "let": {"refused": "response.status == 401"},
      "states": {"ask": {"request": {"to": "api", "get": "/a"}, "next": [\#(next){"goto": "done"}]}, "done": {"goal": true}}}
    """#
  var documents = Documents(texts: ["x.json": text])
  return documents.told("unreachable-transition").compactMap { found in
    found.labels.first.flatMap { label in
      conditions.firstIndex { text.utf8.dropFirst(label.site.range.lowerBound + 1).starts(with: $0.utf8) }
    }
  }
}

@Suite struct CoveredTransitionTests {
  @Test func whatEarlierOnesTakeIsNeverTaken() {
    #expect(never("response.status >= 400", "response.status == 423") == [1])
    #expect(never("response.status == 200", "response.status in [400, 401]", "refused") == [2])
    #expect(never("refused", "response.status == 401") == [1])
    #expect(never("response.failure != null", "response.failure == 'lost'") == [1])
    #expect(never("response.failure == 'lost'", "response.failure == 'unreachable'", "response.failure != null") == [2])
    #expect(
      never("response.status >= 200 && response.status < 500", "response.status >= 500", "response.status > 404") == [2]
    )
  }

  @Test func numbersThatNoStatusComesNearAreGoneThrough() {
    #expect(never("response.status == 9223372036854775807 || response.status == 400", "response.status == 400 ") == [1])
    #expect(never("response.status == -9223372036854775808", "response.status == 400").isEmpty)
  }

  @Test func whatSomethingIsLeftToIsNotTold() {
    #expect(never("response.status == 423", "response.status >= 400").isEmpty)
    #expect(never("response.status >= 400", "response.status == 399").isEmpty)
    #expect(never("response.status >= 200 && response.status < 300", "response.status >= 299").isEmpty)
    #expect(never("response.failure == 'lost'", "response.failure != null").isEmpty)
  }

  /// What else they look at may make the difference.
  @Test func conditionsOnMoreAreNotHeldAgainstEachOther() {
    #expect(never("response.status >= 400 && device.online", "response.status == 423").isEmpty)
    #expect(never("response.status >= 400", "response.status == 423 && device.online").isEmpty)
    #expect(never("response.status / 100 == 4", "response.status == 423").isEmpty)
    #expect(
      never("response.status == 400", "response.status == 400 || string(response.status).startsWith('42')").isEmpty)
    #expect(never("response.status >= 400 && response.json.?a.orValue('') == ''", "response.status == 423").isEmpty)
  }
}
