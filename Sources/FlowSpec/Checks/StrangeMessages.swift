import Expressions

extension Check {
  /// Messages that servers or apps take for something else than is meant, or pass over, whatever a model makes of them.
  static let strangeMessages: @Sendable (Examined) -> [Diagnostic] = { examined in
    strangeRequests(examined)
      + examined.transitions.replies.filter(\.hasStrangeRetryAfter).map { reply in
        // RFC 9110 §10.2.3.
        strange(
          "a \"retry-after\" has seconds or a date",
          at: examined.site(of: "retry-after", in: "headers", at: reply.site), "neither",
          help: "write a number of seconds, \"120\", or \"Fri, 31 Dec 2027 23:59:59 GMT\"")
      }
  }

  private static func strangeRequests(_ examined: Examined) -> [Diagnostic] {
    examined.visits.compactMap { visit in
      guard let request = visit.request else { return nil }
      if request.method == "GET", request.body != nil {
        // RFC 9110 §9.3.1.
        return strange(
          "a GET has a body here, which servers pass over or refuse", at: visit.line, "has a body",
          help: "send it in \"query\", or with \"post\"")
      }
      if let member = request.mistakenBody {
        return strange(
          "the header says that the body is something else than \"\(member)\" sends",
          at: examined.site(of: "content-type", in: "headers", at: visit.site), "not what is sent",
          help: "leave it out: \"\(member)\" brings its own")
      }
      if request.asksAnew, let key = request.header(RequestSpec.keyHeader), examined.alwaysGives(key) {
        return strange(
          "by this \"Idempotency-Key\" a server takes each such \(request.method) for a further try of the first",
          at: key.site ?? examined.site(of: RequestSpec.keyHeader, in: "headers", at: visit.site),
          "is the same each time",
          help: "set a key to ${newId('request')} before each thing that is asked for, and send that with all its tries"
        )
      }
      return request.bareCredentials.flatMap { name in
        // RFC 9110 §11.4.
        examined.setsScheme(of: name)
          ? nil
          : strange(
            "\"\(name)\" stands alone where a scheme and credentials belong",
            at: examined.site(of: "authorization", in: "headers", at: visit.site), "has no scheme",
            help: "write \"bearer\" in place of the header, or the scheme before it: \"Basic ${…}\"")
      }
    }
  }

  private static func strange(_ message: String, at site: Site, _ label: String, help: String) -> Diagnostic {
    Diagnostic("strange-message", severity: .warning, message, at: site, label, help: help)
  }
}

extension Reply {
  fileprivate var hasStrangeRetryAfter: Bool {
    guard case .literal(let value)? = headers.first(where: { $0.name == "retry-after" })?.value,
      let text = value.text?.string
    else { return false }
    return !text.hasSuffix(" GMT") && (text.isEmpty || !text.utf8.allSatisfy { (0x30...0x39).contains($0) })
  }
}

extension RequestSpec {
  /// The member that sends its body, where a header calls that something else.
  fileprivate var mistakenBody: String? {
    guard case .literal(let value)? = header("content-type"), let type = value.text?.string.lowercased() else {
      return nil
    }
    return switch body {
    case .json where !type.contains("json"): "json"
    case .form where !type.hasPrefix("application/x-www-form-urlencoded"): "form"
    default: nil
    }
  }

  /// What the app keeps and sends as the whole `Authorization`.
  fileprivate var bareCredentials: String? {
    if case .template(let placed)? = header("authorization") { placed.template.key } else { nil }
  }

  fileprivate func header(_ name: String) -> ValueTemplate? { headers.first { $0.name == name }?.value }
}

extension Template {
  /// The name of the key that it gives as it is: `token` of `${store.token}` and of `${store.?token}`.
  var key: String? {
    guard isAlone, let whole = expressions.first, whole.isSelected, whole.handedOn.count == 1,
      let path = MemberPath(whole.handedOn[0], below: "store") ?? MemberPath(whole.handedOn[0], below: "memory"),
      path.parts.count == 1, case .member(let name) = path.parts[0]
    else { return nil }
    return name
  }
}

extension Examined {
  /// Whether something is set into a key with a scheme before it, or may be.
  fileprivate func setsScheme(of key: String) -> Bool {
    actions.flatMap(\.assignments).contains { assignment in
      guard assignment.place.declared.name == key, case .template(let placed) = assignment.value else { return false }
      return placed.template.parts.contains { if case .literal(let text) = $0 { text.contains(" ") } else { false } }
    }
  }
}
