import Expressions
import FlowSpec

/// What can go wrong while a flow runs, in words. No message shows a value that could be a secret.
extension Diagnostic {
  /// Of what is wrong in a let, that place comes first and its use explains it.
  static func evaluation(_ error: EvaluationError, at use: Site, in flow: Flow) -> Diagnostic {
    let inside = flow.site(of: error.definition, usedAt: use)
    return Diagnostic(
      error.code, error.message, at: inside ?? use, "while this was evaluated",
      help: error.help
        ?? (error.code == "no-such-key"
          ? "a.?b and a[?b] look without failing; .orValue(…) says what to take instead" : nil),
      related: inside == nil ? nil : (use, "the let is used here"))
  }

  static func textNeeded(_ value: Value, site: Site) -> Diagnostic {
    Diagnostic(
      "text-needed", "A text, a path, a query, a header or a form cannot hold \(value.kindName.withArticle)", at: site,
      "this is \(value.kindName.withArticle)", help: "give it a value, or drop the member with an optional: ${a.?b}")
  }

  static func brokenHeader(_ name: String, site: Site) -> Diagnostic {
    Diagnostic(
      "forbidden-header", "The header \"\(name)\" would have a control character", at: site, "would end it",
      help: "come here only with a value on one line")
  }

  static func conditionNotBool(_ value: Value, site: Site) -> Diagnostic {
    Diagnostic(
      "condition-not-bool", "A condition must be true or false, and this one is \(value.kindName.withArticle)",
      at: site,
      "not true or false")
  }

  static func valueTooLarge(site: Site?) -> Diagnostic {
    Diagnostic(
      code: "value-too-large",
      message: "A value of more than \(Value.mostWeight) bytes, or of more than 128 levels, would be kept or sent",
      labels: site.map { [Label(site: $0, text: "too large")] } ?? [],
      help: "a value that grows each time it is set needs a bound")
  }

  static func repeatedName(_ name: String, site: Site) -> Diagnostic {
    // What nobody has chosen as a name may be a secret.
    let shown = name.mayBeChosen ? "\"\(name)\"" : "the same"
    return Diagnostic(
      "repeated-key", "Two keys of a map, one of them no string, would both be \(shown) in JSON", at: site,
      "is to be JSON", help: "give the map keys that are strings")
  }

  static func tooManyRows(site: Site) -> Diagnostic {
    Diagnostic(
      "too-many-rows", "A table would have more than \(Key.mostRows) rows", at: site, "one more",
      help: "clear the rows that nobody needs any more")
  }

  static func tableTooLarge(site: Site) -> Diagnostic {
    Diagnostic(
      "table-too-large", "A table would hold more than \(Bounds.largestTable) bytes", at: site, "grows here",
      help: "clear the rows that nobody needs any more")
  }

  static func tooManyMails(site: Site) -> Diagnostic {
    Diagnostic("too-many-mails", "More than \(Bounds.mostMails) mails would lie in the inbox", at: site, "one more")
  }

  static func rowKeyNeeded(_ value: Value, site: Site) -> Diagnostic {
    var named = value.kindName.withArticle
    if case .string = value.unwrapped { named = "an empty string" }
    return Diagnostic(
      "row-key", "A row of a table is named by a string that is not empty, not by \(named)", at: site,
      "this names no row", help: "come here only where it is set, which present(…) tells")
  }

  /// `source` says where the value comes from, like `"response.json.n" of txserver`; `nil` when that is not known.
  static func wrongType(_ value: Value, expected: ValueType, source: String? = nil, site: Site) -> Diagnostic {
    let needed = "where \(expected.title.withArticle) is needed"
    return Diagnostic(
      code: "wrong-type",
      message: source.map { "\($0) is \(value.kindName.withArticle), \(needed)" }
        ?? "A value that is \(value.kindName.withArticle) came \(needed)",
      labels: [Label(site: site, text: "this is \(value.kindName.withArticle)")],
      help: (value.conversion(to: expected) ?? "check what the peer answered before using it")
        + (source?.contains("response.") == true ? expected.asksBefore ?? "" : ""))
  }

  static func notOneOf(_ allowed: [String], field: ObjectType.Field, site: Site) -> Diagnostic {
    let names = field.secret == nil ? allowed.map { "\"\($0)\"" }.joined(separator: ", ") : "a few secrets"
    return Diagnostic(
      "wrong-type", "\"\(field.name)\" is one of \(names), and another string came", at: site, "this is none of them",
      help: "check what the peer answered before using it")
  }

  static func losesMark(_ field: ObjectType.Field, of event: Event) -> Diagnostic {
    Diagnostic(
      code: "secret-without-text",
      message: "What came for \"\(field.name)\" is secret, and as \(field.type.title.withArticle) would be shown",
      labels: [Label(site: event.site, text: "is declared here")],
      help: "make the field a string: only strings carry the mark of a secret")
  }

  static func notAnAddress(site: Site) -> Diagnostic {
    Diagnostic(
      "not-an-address", "This is no absolute address", at: site, "no scheme, or no one port",
      help: "an address begins with a scheme, and has one port at most, like https://example.org:8443/path")
  }

  /// Percent-encoded they mean the same, so nothing can be sent that means the text (RFC 3986 §6.2.2.3).
  static func dotSegment(site: Site) -> Diagnostic {
    Diagnostic(
      "not-an-address", "A segment of the path would be \".\" or \"..\", which leads to another path", at: site,
      "gives it", help: "send the value in \"query\" or a body, or come here only where it is another")
  }

  static func foreignOrigin(participant: String, site: Site) -> Diagnostic {
    Diagnostic(
      "foreign-origin", "The address is not one of participant \"\(participant)\"", at: site, "leads elsewhere",
      help: "add its origin to the participant's \"origins\", or send the request to the participant it belongs to")
  }

  static func secretInURL(_ place: String, mayBeForApp: Bool = false, site: Site) -> Diagnostic {
    Diagnostic(
      "secret-in-url", "A secret would stand in the \(place) of a URL", at: site, "is sent here",
      help: mayBeForApp
        ? "an authorization code goes to none but the app: is this address one of its \"redirectUris\"? "
          + "one that really goes elsewhere is described with \"despite\": {\"secret-in-url\": …}"
        : "send it in a body or as bearer; a system that does this all the same is described with "
          + "\"despite\": {\"secret-in-url\": …}")
  }

  static func noDestination(site: Site) -> Diagnostic {
    Diagnostic(
      "no-destination", "The app has no pages of its own: say where this leads", at: site, "no \"to\"",
      help: "add \"to\" with a participant of kind service")
  }

  static func noModel(_ participant: Participant) -> Diagnostic {
    Diagnostic(
      "no-model", "Service \"\(participant.name)\" has no model, so it cannot be simulated", at: participant.site,
      "no \"model\"", help: "write a service document and name it here")
  }

  static func nothingHolds(_ route: Route) -> Diagnostic {
    Diagnostic(
      "no-reply", "No transition of route \(route.line) holds", at: route.site, "nothing replies",
      help: "end \"next\" with a transition without \"when\"")
  }

  /// A circle is said in one way, wherever it was entered: at the first of the app's states.
  static func spinning(_ states: [State], by transition: Transition, in flow: Flow) -> Diagnostic {
    // What stands on the whole of a flow is told at the other states, where there are any.
    func place(_ state: State) -> (Int, String, Int) {
      let path = state.site.document == flow.document ? "" : state.site.document.path
      return (state.name.isEmpty ? 1 : 0, path, state.site.range.lowerBound)
    }
    let circle = states.sorted { place($0) < place($1) }
    let states = circle.map { $0.name.isEmpty ? "the \"on\" of a flow" : "\"\($0.name)\"" }.joined(separator: ", ")
    return Diagnostic(
      "spinning", "10,000 transitions were taken at one instant, the last ones from \(states)",
      at: circle[0].name.isEmpty ? transition.site : circle[0].site,
      "time never passes here", help: "let one of these states wait for an event, or for time with \"after\"")
  }

  static func servicesInCircle(_ state: State, most: Int) -> Diagnostic {
    Diagnostic(
      "spinning", "\(most) services wait for each other, the last one in state \"\(state.name)\"", at: state.site,
      "asks once more", help: "let one of them reply without asking the next")
  }

  static func sometimesDoesNotHold(_ name: String, site: Site) -> Diagnostic {
    Diagnostic(
      "reply-does-not-hold", "Reply \"\(name)\" was asked for, and its \"when\" does not hold", at: site, "this one",
      help: "let its \"when\" hold by then, by \"given\" or by what is done before, ask for another reply, or say with "
        + "\"nth\" which of the requests is meant")
  }

  static func sometimesNotReached(_ name: String, site: Site) -> Diagnostic {
    Diagnostic(
      "reply-not-reached", "Reply \"\(name)\" was asked for, and the exchange ended with another", at: site,
      "ended here",
      help: "let the exchange come to it, by \"given\" or by what is done before, or ask for another reply")
  }

  /// A reply was asked for that cannot be given here.
  var isOfReplyAskedFor: Bool { ["reply-does-not-hold", "reply-not-reached"].contains(code) }
}

extension ValueType {
  /// What a guard asks of what a server gives; `nil` where there is no word for it.
  fileprivate var asksBefore: String? {
    guard [.string, .bool, .int, .double, .timestamp, .duration].contains(self) else { return nil }
    let name = title.prefix(1).uppercased() + title.dropFirst()
    return "; what a server gives may be of any type, and is\(name)(…) in a guard tells whether \(title)(…) works on it"
  }
}
