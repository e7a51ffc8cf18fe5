import Expressions

/// A JSON value with templates in its strings.
package enum ValueTemplate: Sendable {
  indirect case literal(Value)
  /// With an expression in it: a text without one is a literal.
  case template(PlacedTemplate)
  case list([ValueTemplate])
  /// A member whose template is absent is dropped.
  case object([FieldValue])

  /// The text that it is, where that is written out.
  var text: String? { if case .literal(let value) = self { value.text?.string } else { nil } }
}

extension ValueTemplate {
  var isNothing: Bool { if case .literal(.null) = self { true } else { false } }

  /// The texts in it that are made when it is.
  var placed: [PlacedTemplate] {
    switch self {
    case .literal: []
    case .template(let placed): [placed]
    case .list(let values): values.flatMap(\.placed)
    case .object(let members): members.flatMap(\.value.placed)
    }
  }

  var expressions: [Expression] { placed.flatMap(\.template.expressions) }

  /// The first secret in it, and where.
  var secret: (name: String, site: Site)? {
    switch self {
    case .literal: nil
    case .template(let placed): placed.template.secret.map { ($0, placed.site) }
    case .list(let values): values.lazy.compactMap(\.secret).first
    case .object(let members): members.lazy.compactMap(\.value.secret).first
    }
  }

  /// Where it stands, when that is known.
  var site: Site? {
    if case .template(let placed) = self { placed.site } else { nil }
  }
}
