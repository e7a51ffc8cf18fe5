import Expressions

extension Check {
  /// Headers, and schemes and parameters of a challenge, that are read by a name with capitals: such names are the same
  /// however they are written (RFC 9110 §5.1, §11.1, §11.2), and expressions see them in lower case.
  static let headerNames: @Sendable (Examined) -> [Diagnostic] = { examined in
    var looked: Set<[String]> = []
    return examined.expressions.flatMap { placed in
      let headers = placed.expression.headersRead.map { (what: "header", name: $0.name, part: $0.part) }
      return (headers + placed.expression.challengesRead)
        .filter { $0.name != $0.name.lowercased() && looked.insert([$0.what, $0.name]).inserted }
        .map { what, name, part in
          Diagnostic(
            "header-name", "no \(what) is ever found as \"\(name)\"", at: examined.site(of: part, in: placed),
            "is read here",
            help: "expressions see the names of \(what)s in lower case: \"\(name.lowercased())\"")
        }
    }
  }
}

extension Check {
  /// Headers that are set or read and that are one letter away from one that everybody knows, or that are sent in its
  /// place and that no model reads.
  static let nearHeaders: @Sendable (Examined) -> [Diagnostic] = { examined in
    var looked: Set<String> = []
    func miss(_ name: String, _ label: String, at site: @autoclosure () -> Site) -> Diagnostic? {
      guard looked.insert(name).inserted, let meant = name.lowercased().knownHeader else { return nil }
      return Diagnostic(
        "near-miss", severity: .warning, "\"\(name)\" is one letter away from the name of a usual header",
        at: site(), label, help: "did you mean \"\(meant)\"?")
    }
    let read = examined.expressions.flatMap { placed in
      placed.expression.headersRead.compactMap { name, part in
        miss(name, "is read here", at: examined.site(of: part, in: placed))
      }
    }
    let sent = examined.machine.requests.map { ($0.headers, $0.site) }
    let answered = examined.transitions.replies.map { ($0.headers, $0.site) }
    let near =
      read
      + (sent + answered).flatMap { headers, site in
        headers.compactMap { header in
          miss(header.name, "is set here", at: examined.site(of: header.name, in: "headers", at: site))
        }
      }
    return near + examined.headersForBearer
  }
}

extension Examined {
  /// Headers of requests that are called as what `authorization` is for, and that nothing reads.
  ///
  /// What a service without a model reads nobody knows, nor what one does that goes through all headers.
  fileprivate var headersForBearer: [Diagnostic] {
    let models = flow.map { $0.services.compactMap(\.model) } ?? []
    let reading = models.flatMap { $0.expressions + $0.routes.flatMap(\.expressions) }.map(\.expression)
    if reading.contains(where: \.mayReadAnyHeader) { return [] }
    let names = Set(reading.flatMap(\.headersRead).map(\.name))
    return machine.requests.filter { model(for: Visit($0)) != nil }.flatMap { request in
      request.headers.compactMap { header -> Diagnostic? in
        guard ["bearer", "authentication"].contains(header.name), !names.contains(header.name) else { return nil }
        return Diagnostic(
          "near-miss", severity: .warning, "no service takes a token from a header \"\(header.name)\"",
          at: site(of: header.name, in: "headers", at: request.site), "is set here",
          help: "put the token into the member \"bearer\" of the request, which sends \"authorization: Bearer …\"")
      }
    }
  }
}

extension String {
  /// Those of RFC 9110, RFC 9111 and RFC 6265, and `Idempotency-Key`, that flows are likely to use.
  private static let knownHeaders = [
    "accept", "accept-language", "authorization", "cache-control", "content-language", "content-length",
    "content-type", "cookie", "expires", "idempotency-key", "if-match", "if-modified-since", "if-none-match",
    "last-modified", "location", "origin", "referer", "retry-after", "set-cookie", "user-agent", "www-authenticate",
  ]

  /// The header that is meant by one in lower case that is none of them.
  fileprivate var knownHeader: String? {
    Self.knownHeaders.contains(self) ? nil : nearestName(to: self, among: Self.knownHeaders, within: 1)
  }
}

extension Expression {
  /// Whether it reads headers of requests as a whole, or by a name that only a run knows.
  fileprivate var mayReadAnyHeader: Bool {
    let sought = facts.written.contains { $0.other == "request.headers" && $0.value.text != nil }
    return readings.contains { reading in
      guard reading.name != "request" else { return true }
      guard let path = MemberPath(reading.name, below: "request.headers") else { return false }
      if case .member = path.parts.first { return false }
      return !path.parts.isEmpty || !sought
    }
  }

  /// Names by which headers are selected, or looked for with `in`, and the parts that do.
  fileprivate var headersRead: [(name: String, part: String)] {
    let roots = ["response.headers", "request.headers"]
    let selected = readings.compactMap { reading -> (name: String, part: String)? in
      let path = roots.lazy.compactMap { MemberPath(reading.name, below: $0) }.first
      return if case .member(let name)? = path?.parts.first { (name, reading.name) } else { nil }
    }
    let sought = facts.written.filter { roots.contains($0.other) }.compactMap(\.value.text?.string)
    return selected + sought.map { ($0, $0) }
  }

  /// Names by which a scheme of `www-authenticate`, or one of its parameters, is selected, or looked for with `in`.
  fileprivate var challengesRead: [(what: String, name: String, part: String)] {
    if !facts.references.contains(where: { $0.starts(with: ["response", "challenge"]) }) { return [] }
    let whats = ["scheme", "parameter"]
    func path(_ selection: String) -> MemberPath? { MemberPath(selection, below: "response.challenge") }
    let selected = readings.flatMap { reading in
      zip(whats, path(reading.name)?.parts ?? []).compactMap { what, part in
        if case .member(let name) = part { (what, name, reading.name) } else { nil }
      }
    }
    let sought = facts.written.compactMap { written -> (what: String, name: String, part: String)? in
      guard let depth = path(written.other)?.parts.count, depth < whats.count, let name = written.value.text?.string
      else {
        return nil
      }
      return (whats[depth], name, name)
    }
    return selected + sought
  }
}
