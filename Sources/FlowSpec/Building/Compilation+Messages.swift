import Expressions
import JSONSyntax

/// What requests, replies and answers are made of.
extension Compilation {
  /// Values under names that nothing declares, in document order.
  mutating func values(_ declaration: Declaration?, standing: Standing) -> [FieldValue] {
    declaration.entries.compactMap { value(of: $0, into: Destined(title: $0.name), standing: standing) }
  }

  /// What stands under a name, into something of this type.
  mutating func value(
    of entry: Declaration.Entry, into destined: Destined, as declared: ObjectType.Field? = nil, standing: Standing
  ) -> FieldValue? {
    value(entry.value.node, in: entry.nameSite.document, into: destined, standing: standing)
      .map { FieldValue(name: entry.name, value: $0, declared: declared) }
  }

  /// Values for declared fields, and which field each is for; without those that are wrong.
  mutating func values(
    of entries: [Declaration.Entry], for object: ObjectType, standing: Standing
  ) -> [(field: Int, value: FieldValue)] {
    entries.compactMap { entry in
      guard let field = field(entry.name, of: object, at: entry.nameSite) else { return nil }
      let declared = object.fields[field]
      return value(of: entry, into: Destined(declared), as: declared, standing: standing).map { (field, $0) }
    }
  }

  /// Values of a query, a form, cookies: texts, numbers, bools; a cookie that is null is deleted.
  mutating func scalars(_ declaration: Declaration?, standing: Standing, mayBeNull: Bool = false) -> [FieldValue] {
    for entry in declaration.entries {
      switch entry.value.node.kind {
      case .null where !mayBeNull:
        mismatch(
          Destined(title: entry.name, type: .string), "null", at: entry.value.site, help: "leave it out")
      case .array, .object:
        mismatch(
          Destined(title: entry.name, type: .string), entry.value.node.description, at: entry.value.site)
      default: break
      }
    }
    return values(declaration, standing: standing)
  }

  /// In an answer, where a cookie is kept by no browser and seen by no app.
  mutating func refuseCookieHeader(in declaration: Declaration, help: String) {
    guard let header = declaration["headers"].entries.first(where: { $0.name.lowercased() == "set-cookie" }) else {
      return
    }
    findings.error(
      "forbidden-header", "no cookie is set by \"headers\"", at: header.nameSite, "reaches no browser", help: help)
  }

  /// Headers, their names in lower case.
  mutating func headers(_ declaration: Declaration?, standing: Standing) -> [FieldValue] {
    for entry in declaration.entries {
      if Transport.sets(entry.name.lowercased()) {
        findings.error(
          "forbidden-header", "\"\(entry.name)\" is not an author's to set", at: entry.nameSite, "set by the transport",
          help: "leave it out")
      } else if entry.name.isEmpty || !entry.name.utf8.allSatisfy({ $0.isIdentifierPart || $0 == UInt8(ascii: "-") }) {
        findings.error(
          "forbidden-header", "\"\(entry.name)\" is no name of a header", at: entry.nameSite, "not letters, digits, -",
          help: "write it with letters, digits and hyphens alone, as in \"x-request-id\"")
      } else if case .string(let text) = entry.value.node.kind,
        text.utf8.contains(where: { $0 < 0x20 && $0 != 9 || $0 == 0x7F })
      {
        findings.error(
          "forbidden-header", "the header \"\(entry.name)\" has a control character", at: entry.value.site,
          "would end it", help: "remove it: a header is one line of text")
      } else if case .string(let text) = entry.value.node.kind,
        " \t".utf8.contains(text.utf8.first ?? 0) || " \t".utf8.contains(text.utf8.last ?? 0)
      {
        findings.error(
          "forbidden-header", "the header \"\(entry.name)\" has white space around its value", at: entry.value.site,
          "would be lost on the way", help: "remove it")
      }
    }
    return scalars(declaration, standing: standing).map { FieldValue(name: $0.name.lowercased(), value: $0.value) }
  }

  /// The status of a reply or an answer: 200, of a redirect 302, unless it says so itself.
  mutating func status(of declaration: Declaration) -> Int {
    let isRedirect = declaration.kind == .reply && declaration.has("redirect")
    guard let declared = declaration["status"], let status = declared.whole else { return isRedirect ? 302 : 200 }
    if isRedirect, (200...599).contains(status), !Transport.leadsOn(Int(clamping: status)) {
      findings.error(
        "wrong-number", "a redirect has the status 301, 302, 303, 307 or 308", at: declared.site,
        "no browser goes on",
        help: "leave it out for 302, or leave out \"redirect\"")
    }
    let bodies = ["json", "form", "text"] + (declaration.kind == .reply ? ["page"] : [])
    if [204, 304].contains(status), let body = bodies.lazy.compactMap(declaration.entry).first {
      findings.error(
        "no-body", "an answer with status \(status) has no body (RFC 9110)", at: body.nameSite, "would not be sent",
        help: "leave it out, or take another status")
    }
    return Int(clamping: status)
  }

  /// The body of a request, a reply or an answer: `json`, `form` or `text`.
  mutating func body(of declaration: Declaration, standing: Standing) -> RequestSpec.Body? {
    if let json = declaration["json"] {
      return value(json.node, in: json.site.document, into: Destined(title: "json"), standing: standing)
        .map { .json($0) }
    }
    if declaration.has("form") { return .form(scalars(declaration["form"], standing: standing)) }
    return template(declaration["text"], in: standing).map { .text($0) }
  }
}
