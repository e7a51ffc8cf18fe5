import Expressions

extension Check {
  /// Fields of events that no expression reads: what somebody enters is lost, or what has to be compared is not.
  ///
  /// Of what an address brings the most is for people, who find it in a trace.
  static let unreadFields: @Sendable (Examined) -> [Diagnostic] = { examined in
    // A service hears no events.
    guard examined.model == nil else { return [] }
    let heard = examined.ledger.used(.event)
    let events = examined.document["events"].entries.filter { heard.contains($0.name) && $0.value.has("fields") }
    if events.isEmpty { return [] }
    var read: Set<String> = []
    for reading in examined.expressions.lazy.flatMap(\.expression.readings) {
      guard let path = MemberPath(reading.name, below: "event"), case .member(let name)? = path.parts.first else {
        continue
      }
      read.insert(name)
    }
    return events.flatMap { event in
      event.value["fields"].entries.filter { field in
        !read.contains(field.name) && (!event.name.isOfAddress || ["state", "code"].contains(field.name))
      }.map { field in
        let isNeeded = event.name.isOfAddress
        return Diagnostic(
          "unread-field", severity: .warning, "nothing reads \"event.\(field.name)\"", at: field.nameSite,
          "declared here", help: "let what hears \(event.name) read it" + (isNeeded ? "" : ", or remove it"))
      }
    }
  }
}

extension String {
  /// Whether it is an event that an address brings.
  var isOfAddress: Bool { self == "browser.redirected" || hasPrefix("link.") }
}
