import Expressions
import FlowSpec
import JSONSyntax
import Testing

/// Documents may be large, deep, or wrong everywhere: what is said of them stays readable, and comes soon.
@Suite struct SizeTests {
  private func found(in text: String) -> [Diagnostic] {
    var documents = Documents(texts: ["sample.json": text])
    let checked = documents.flow()
    #expect(checked.value == nil)
    return checked.diagnostics
  }

  @Test func aDocumentOfMoreThanSixteenMebibytesIsRefused() {
    let found = found(in: "{" + String(repeating: " ", count: JSONParser.largestSize) + "}")
    #expect(found.map(\.code) == ["too-large"])
  }

  @Test func aDocumentOfSixteenMebibytesIsRead() {
    let found = found(in: "{" + String(repeating: " ", count: JSONParser.largestSize - 2) + "}")
    #expect(Set(found.map(\.code)) == ["missing-member"])
  }

  @Test func aDocumentThatIsTooDeepIsRefused() {
    let deep = String(repeating: #"{"all": ["#, count: 300) + String(repeating: "]}", count: 300)
    #expect(found(in: #"{"flow": "a", "states": \#(deep)}"#).map(\.code) == ["too-deep"])
  }

  @Test func conditionsAndStatesInOneAnotherAreReadToTheDepthOfADocument() {
    let conditions = String(repeating: #"{"not": "#, count: 115) + #""true""# + String(repeating: "}", count: 115)
    let states =
      String(repeating: #"{"start": "a", "states": {"a": "#, count: 55) + "{}" + String(repeating: "}}", count: 55)
    for inside in [#"{"next": [{"when": \#(conditions), "goto": "a"}]}"#, states] {
      #expect(
        found(in: #"{"flow": "a", "start": "a", "states": {"a": \#(inside)}}"#).contains { $0.severity == .error })
    }
  }

  /// The last state is the goal, so that the way to it is as long as it can be.
  @Test func tenThousandStatesAreChecked() {
    let count = 10_000
    let states = (0..<count).map { index in
      let next = #"[{"when": "store.count == \#(index)", "goto": "s\#((index + 1) % count)"}]"#
      return #""s\#(index)": {\#(index == count - 1 ? #""goal": true, "# : "")"on": {"user.goes": \#(next)}}"#
    }
    let text = #"""
      {"flow": "sample", "title": "t", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}},
       "store": {"count": {"type": "int", "initial": 0}}, "events": {"user.goes": {"title": "goes on"}},
       "start": "s0", "states": {\#(states.joined(separator: ",\n"))}}
      """#
    var documents = Documents(texts: ["sample.json": text])
    let checked = documents.flow()
    #expect(checked.value?.app.states.count == count + 1, "\(checked.diagnostics.prefix(3).map(\.message))")
  }

  @Test func namedActionsAreBounded() {
    let chain = (1...200).map { #""l\#($0)": ["l\#($0 - 1)"]"# }.joined(separator: ", ")
    let doubling = (1...40).map { #""l\#($0)": ["l\#($0 - 1)", "l\#($0 - 1)"]"# }.joined(separator: ", ")
    for (lists, name, code) in [(chain, "l200", "too-deep"), (doubling, "l40", "too-many-actions")] {
      let text = #"""
        {"flow": "sample", "title": "t", "participants": {"app": {"kind": "app"}}, "screens": {"x": {}},
         "actions": {"l0": [{"show": {"x": {}}}], \#(lists)}, "start": "a", "states": {"a": {"goal": true, "do": ["\#(name)"]}}}
        """#
      #expect(found(in: text).contains { $0.code == code }, "\(code)")
    }
  }

  /// Each list is built wherever it is used, so that a short document could come to many millions of actions.
  @Test func allNamedActionsTogetherAreBounded() {
    let list = Array(repeating: #"{"clear": "k"}"#, count: 900).joined(separator: ", ")
    let states = (0..<300).map { #""s\#($0)": {"do": ["l"], "next": [{"goto": "s\#($0 + 1)"}]}"# }
    let text = #"""
      {"flow": "sample", "title": "t", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}},
       "memory": {"k": {"type": "int"}},
       "actions": {"l": [\#(list)]}, "start": "s0", "states": {\#(states.joined(separator: ",\n")), "s300": {"goal": true}}}
      """#
    let found = found(in: text).filter { $0.severity == .error }
    #expect(found.map(\.code) == ["too-many-actions"])
    // The last list that is taken is the 222nd.
    #expect(DiagnosticRenderer().text(of: found).contains(#""s222": {"do": ["l"]"#))
  }

  /// One action may set many keys, and one text may hold many expressions.
  @Test func whatNamedActionsHoldIsBounded() {
    let keys = (0..<900).map { #""k\#($0)": true"# }.joined(separator: ", ")
    #expect(refusedUse(of: #"["l"]"#, where: #"[{"set": {\#(keys)}}]"#) == 222)
    let long = String(repeating: "a", count: 6380)
    #expect(refusedUse(of: #"["l"]"#, where: #"[{"set": {"k0": "${'\#(long)' == ''}"}}]"#) == 1000)
  }

  @Test func clearedGroupsAreBounded() {
    #expect(refusedUse(of: #"[{"clear": "g"}]"#, where: "[]") == 222)
  }

  /// The number of the first of many states that may not do what all of them do.
  private func refusedUse(of actions: String, where list: String) -> Int? {
    let states = (0..<1100).map { #""s\#($0)": {"do": \#(actions), "next": [{"goto": "s\#($0 + 1)"}]}"# }
    let keys = (0..<900).map { #""k\#($0)": {"type": "bool", "initial": false, "group": "g"}"# }.joined(separator: ", ")
    let found = found(
      in: #"""
        {"flow": "sample", "title": "t", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}},
         "memory": {\#(keys)}, "actions": {"l": \#(list)}, "start": "s0",
         "states": {\#(states.joined(separator: ",\n")), "s1100": {"goal": true}}}
        """#)
    let errors = found.filter { $0.severity == .error }
    guard errors.map(\.code) == ["too-many-actions"] else { return nil }
    // The first of the states is in the third line.
    return errors.first?.labels.first.map { DiagnosticRenderer.position(of: $0.site).line - 3 }
  }

  /// A run enters them on the stack.
  @Test func callsOfSubflowsInOneAnotherAreBounded() {
    func text(_ count: Int) -> String {
      let flows = (1...count).map { index in
        let does = index < count ? #""call": "f\#(index + 1)", "next": [{"end": "e"}]"# : #""end": "e""#
        return #""f\#(index)": {"ends": ["e"], "start": "a", "states": {"a": {\#(does)}}}"#
      }
      return #"""
        {"flow": "sample", "title": "t", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}},
         "start": "a", "states": {"a": {"call": "f1", "next": [{"goto": "b"}]}, "b": {"goal": true}},
         "flows": {\#(flows.joined(separator: ",\n"))}}
        """#
    }
    var documents = Documents(texts: ["sample.json": text(100)])
    #expect(documents.flow().value != nil)
    for count in [101, 1000] {
      let found = found(in: text(count)).filter { $0.severity == .error }
      #expect(found.map(\.code) == ["too-deep"])
      let place = #""f100": {"ends": ["e"], "start": "a", "states": {"a": {"call": "f101""#
      #expect(DiagnosticRenderer().text(of: found).contains(place))
    }
  }

  @Test func aLongChainOfLetsIsToldWhereItIsTooDeep() {
    let lets = (0..<4000).map { #""l\#($0)": "!l\#($0 + 1)""# } + [#""l4000": "true""#]
    let text = #"""
      {"flow": "sample", "title": "t", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}},
       "let": {\#(lets.joined(separator: ",\n"))},
       "start": "a", "states": {"a": {"next": [{"when": "l0", "goto": "b"}, {"goto": "b"}]}, "b": {"goal": true}}}
      """#
    let found = found(in: text).filter { $0.severity == .error }
    #expect(Set(found.map(\.code)) == ["too-deep"] && found.count < 30)
    #expect(DiagnosticRenderer().text(of: found).contains(#"3802│"#), "\(DiagnosticRenderer().text(of: found))")
  }

  @Test func aTableDoesNotBeginWithMoreRowsThanItMayHave() {
    let rows = (0...10_000).map { #""r\#($0)": {}"# }
    let text = #"""
      {"flow": "sample", "title": "t", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}},
       "store": {"t": {"rows": {"v": {"type": "string"}}, "initial": {\#(rows.joined(separator: ",\n"))}}},
       "start": "a", "states": {"a": {"goal": true}}}
      """#
    let found = found(in: text).filter { $0.severity == .error }
    #expect(found.map(\.code) == ["too-many-rows"])
    #expect(DiagnosticRenderer().text(of: found).contains(#""r10000": {}"#))
  }

  @Test func namesAmongManyAreFoundAndSuggested() throws {
    func text(_ last: String) -> String {
      let names = (0..<100).map { "key\($0)" }
      let keys = names.map { #""\#($0)": {"type": "int", "initial": 0}"# }.joined(separator: ", ")
      let sets = (names.dropLast() + [last]).map { #""\#($0)": "${store.\#($0) + 1}""# }.joined(separator: ", ")
      return #"""
        {"flow": "sample", "title": "t", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}},
         "store": {\#(keys)}, "start": "a", "states": {"a": {"goal": true, "do": [{"set": {\#(sets)}}]}}}
        """#
    }
    var documents = Documents(texts: ["sample.json": text("key99")])
    let action = try #require(documents.flow().value?.app.states.last?.entry.first)
    #expect(action.assignments.map(\.place.key) == Array(0..<100))
    let read = action.assignments.map { assignment in
      guard case .template(let placed) = assignment.value else { return [] as [String] }
      return placed.template.expressions.flatMap { $0.facts.references.flatMap(\.self) }
    }
    #expect(read == (0..<100).map { ["store", "key\($0)"] })
    let found = found(in: text("kye99")).filter { $0.severity == .error }
    #expect(Set(found.map(\.code)).isSuperset(of: ["unknown-key"]))
    #expect(found.allSatisfy { $0.help == #"did you mean "key99"?"# })
  }

  @Test func ofManyUnusedRefsAThousandAreTold() throws {
    let refs = (0..<3000).map { #""r\#($0)": "step""# }.joined(separator: ", ")
    let text = #"""
      {"flow": "sample", "title": "t", "source": {"title": "t", "refs": {\#(refs)}},
       "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}}, "start": "a", "states": {"a": {"goal": true}}}
      """#
    var documents = Documents(texts: ["sample.json": text])
    let flow = try #require(documents.flow().value)
    let found = Loading.unusedRefs(of: flow, scenarios: [])
    #expect(found.count == 1000)
    #expect(found.last?.code == "too-many-findings")
  }

  @Test func aThousandWarningsDoNotHideAnError() {
    let states = (0..<1500).map { #""s\#($0)": {"rest": true, "do": [{"show": {"x": {"t": "{config.c}"}}}]}"# }
    let text = #"""
      {"flow": "sample", "title": "t", "participants": {"app": {"kind": "app"}},
       "config": {"c": {"type": "string", "value": "v"}}, "screens": {"x": {"fields": {"t": {"type": "string"}}}},
       "start": "s0", "states": {\#(states.joined(separator: ", ")), "z": {"goal": true, "after": [{"wait": "1s", "goto": "nowhere"}]}}}
      """#
    let found = found(in: text)
    #expect(found.count == 1000)
    #expect(found.filter { $0.severity == .error }.map(\.code) == ["unknown-state"])
  }

  @Test func aThousandFindingsAreEnough() {
    let members = (0..<3000).map { #""wrong\#($0)": \#($0)"# }.joined(separator: ", ")
    let found = found(in: "{\"flow\": \"sample\", \(members)}")
    #expect(found.count == 1000)
    let rest = found.first { $0.code == "too-many-findings" }
    #expect(rest?.message == "more than 999 things were found, and the rest is left out")
    let text = DiagnosticRenderer().text(of: found)
    // The whole document is one line.
    #expect(text.utf8.count < 2_000_000)
    #expect(text.contains("sample.json:1:20\n"))
  }

  @Test func aPlaceInALongLineIsShownWithWhatStandsAroundIt() {
    let found = found(
      in: #"{"flow": "sample","# + String(repeating: " ", count: 50_000) + #""wrong": 1"#
        + String(repeating: " ", count: 9000) + "}")
    let text = DiagnosticRenderer().text(of: found.filter { $0.code == "unknown-member" })
    #expect(text.contains("sample.json:1:50019\n"))
    #expect(text.contains(#""wrong": 1"#) && text.contains("^^^^^^^ not a member"))
    #expect(text.utf8.count < 2000)
  }
}
