extension Check {
  /// Fields of events that nothing reads where they are heard: what somebody enters is lost, or what has to be compared is
  /// not.
  ///
  /// Another event may have a field of the same name, which is something else. Of what an address brings the most is for
  /// people, who find it in a trace.
  static let unreadFields: @Sendable (Examined) -> [Diagnostic] = { examined in
    // A service hears no events.
    guard examined.model == nil else { return [] }
    let heard = examined.ledger.used(.event)
    return examined.document["events"].entries.filter { heard.contains($0.name) }.flatMap { event in
      let read = examined.ledger.readFields[event.name] ?? []
      return event.value["fields"].entries.filter { field in
        !read.contains(field.name) && (!event.name.isOfAddress || ["state", "code"].contains(field.name))
      }.map { field in
        let isNeeded = event.name.isOfAddress
        return Diagnostic(
          "unread-field", severity: .warning, "nothing that hears \"\(event.name)\" reads \"event.\(field.name)\"",
          at: field.nameSite, "declared here",
          help: "let an expression there read it" + (isNeeded ? "" : ", or remove it"))
      }
    }
  }
}

extension String {
  /// Whether it is an event that an address brings.
  var isOfAddress: Bool { self == "browser.redirected" || hasPrefix("link.") }
}
