import Expressions
import JSONSyntax

extension Check {
  /// Numbers in JSON under a name that is secret: only strings carry a mark to where they are handed on.
  ///
  /// So what the app takes of an answer, under such a name, as a number.
  static let secretNumbers: @Sendable (Examined) -> [Diagnostic] = { examined in
    writtenNumbers(examined) + takenNumbers(examined)
  }

  private static func writtenNumbers(_ examined: Examined) -> [Diagnostic] {
    var expressions: [Site: ValueType] = [:]
    for placed in examined.expressions { expressions[placed.site] = placed.expression.type }
    var known: [String?: Set<String>] = [:]
    return examined.document.bodies.flatMap { body, to in
      let names = known[to] ?? examined.names(inJSONTo: to)
      known[to] = names
      return names.isEmpty ? [] : body.node.numbers(under: names, in: body.site.document, expressions)
    }
  }

  /// A real service answers with what no document here says: what takes it tells that it is a number.
  private static func takenNumbers(_ examined: Examined) -> [Diagnostic] {
    guard examined.model == nil else { return [] }
    return examined.plainlyAnswered.filter { [.int, .double].contains($0.given.field.type) }.map { name, given, site in
      Diagnostic(
        "secret-number", severity: .remark,
        "the secret \"\(name)\" \(given.words) as a number, and only strings carry the mark of a secret", at: site,
        "is shown where it is handed on", help: "give \"\(given.field.name)\" the type json and \"secret\": true")
    }
  }
}

extension Examined {
  /// The names that are secret in JSON that goes to a participant, or to whoever asked the service.
  fileprivate func names(inJSONTo participant: String?) -> Set<String> {
    guard let flow else { return Set(model?.secrets.compactMap { $0.name(in: .json) } ?? []) }
    let ends = flow.services.indices.filter {
      $0 == service || flow.participants[flow.services[$0].participant].name == participant
    }
    return Set(ends.flatMap { flow.services[$0].secrets.compactMap { $0.name(in: .json) } })
  }
}

extension Declaration {
  /// Every body of JSON in it, with the participant that it is sent to; `nil` where it is an answer.
  fileprivate var bodies: [(body: Declaration, to: String?)] {
    switch content {
    case .list(let items): items.flatMap(\.bodies)
    case .map(let entries): entries.flatMap(\.value.bodies)
    case .object(let kind, let entries):
      entries.flatMap { entry in
        entry.name != "json"
          ? entry.value.bodies : [(entry.value, kind.grammar.shape(of: "to") == nil ? nil : self["to"]?.string)]
      }
    default: []
    }
  }
}

extension JSONNode {
  /// Those that stand in it under one of these names, written out or worked out by an expression.
  ///
  /// - Parameter secret: the name under which it stands itself, with where; `nil` where that is none of them.
  fileprivate func numbers(
    under names: Set<String>, in document: Document, _ expressions: [Site: ValueType], _ secret: JSONMember? = nil
  ) -> [Diagnostic] {
    switch kind {
    case .array(let elements): return elements.flatMap { $0.numbers(under: names, in: document, expressions, secret) }
    case .object(let members):
      return members.flatMap { member in
        member.value.numbers(
          under: names, in: document, expressions, names.contains(member.name) ? member : secret)
      }
    default:
      guard let secret, isNumber(expressions[Site(document: document, range: range)]) else { return [] }
      return [
        Diagnostic(
          "secret-number", severity: .remark,
          "the secret \"\(secret.name)\" is a number, and only strings carry the mark of a secret",
          at: Site(document: document, range: secret.nameRange), "may be shown where it is handed on",
          help: "make it a string, or put it into nothing but secret keys")
      ]
    }
  }

  /// Whether it is one, or a string that is an expression of this type alone.
  private func isNumber(_ type: ValueType?) -> Bool {
    switch kind {
    case .int, .double, .wholeNumberTooLarge: true
    case .string(let text):
      text.hasPrefix("${") && text.hasSuffix("}")
        && [.int, .double, .optional(.int), .optional(.double)].contains(type)
    default: false
    }
  }
}
