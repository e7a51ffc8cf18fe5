/// A string that may contain `${expression}`.
///
/// Alone an expression keeps its type; between other text it must be a scalar. `$${` is a literal `${`. All ranges, those
/// in its expressions included, are UTF-8 offsets into the whole decoded string.
package final class Template: Sendable {
  package enum Part: Sendable {
    case literal(String)
    case expression(Expression)
  }

  package let source: String
  package let parts: [Part]
  /// The type of the expression that stands alone, else string.
  package let type: ValueType
  package let expressions: [Expression]
  /// The expression that is all of it; `nil` when there is more, or none.
  private let alone: Expression?
  private let evaluation: Finder.Run
  /// The text, with `$${` read as `${`; `nil` when there is an expression in it.
  package let literalText: String?
  /// Names in its text that look as if an expression was meant; worth a warning.
  package let plainNames: [ExpressionProblem]

  /// Compiles a template.
  package static func compile(_ source: String, in scope: Scope) throws(ExpressionProblems) -> Template {
    var parts: [Part] = []
    var problems: [ExpressionProblem] = []
    if !source.utf8.contains(where: { $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: "{") }) {
      return Template(source: source, text: source, plainNames: PlainNames.alone(source, in: scope))
    }
    let bytes = Array(source.utf8)
    let pieces = Piece.pieces(of: bytes)
    for piece in pieces {
      switch piece {
      case .literal(let text): parts.append(.literal(text))
      case .broken(let problem, _): problems.append(problem)
      case .tokens(let tokens, let range):
        do {
          let text = String(decoding: bytes[range], as: UTF8.self)
          let node = try Parser.parse(tokens)
          parts.append(
            .expression(try Expression.compile(node, of: bytes, text: text, in: scope, expecting: nil)))
        } catch { problems += error.all }
      }
    }
    if parts.count > 1 { problems += parts.compactMap(\.problemInText) }
    guard problems.isEmpty else { throw ExpressionProblems(problems) }
    let plainNames = pieces.contains(where: \.mayNamePlainly) ? PlainNames(bytes, pieces, in: scope).problems : []
    // Text without an expression is one part.
    if parts.count == 1, case .literal(let text) = parts[0] {
      let whole = PlainNames.alone(source, in: scope)
      return Template(source: source, text: text, plainNames: whole.isEmpty ? plainNames : whole)
    }
    return Template(source: source, parts: parts, plainNames: plainNames)
  }

  /// The same with its text as part of one expression, where somebody may have closed the braces too early:
  /// `${store.n} + 1`; `nil` where there is nothing else in it.
  package var asOneExpression: String? {
    // In JSON a quotation mark would end the text.
    guard parts.count > 1, !source.utf8.contains(UInt8(ascii: "\"")) else { return nil }
    return parts.map { part in
      switch part {
      case .literal(let text): text
      case .expression(let expression) where expression.source.contains(" "): "(\(expression.source))"
      case .expression(let expression): expression.source
      }
    }.joined()
  }

  /// Without an expression.
  private init(source: String, text: String, plainNames: [ExpressionProblem]) {
    (self.source, literalText, type, self.plainNames) = (source, text, .string, plainNames)
    parts = text.isEmpty ? [] : [.literal(text)]
    (expressions, alone) = ([], nil)
    let value = Value.string(text)
    evaluation = { _ in value }
  }

  private init(source: String, parts: [Part], plainNames: [ExpressionProblem]) {
    (self.source, literalText, self.plainNames) = (source, nil, plainNames)
    self.parts = parts
    expressions = parts.compactMap { if case .expression(let expression) = $0 { expression } else { nil } }
    alone = parts.count == 1 ? expressions.first : nil
    type = alone?.type ?? .string
    evaluation = if let alone { alone.held } else { Self.text(of: parts, at: 0..<source.utf8.count) }
  }

  /// The same with its text changed wherever it is no expression.
  package func mappingText(_ change: (String) -> String) -> Template {
    if let literalText { return Template(source: source, text: change(literalText), plainNames: plainNames) }
    let changed = parts.map { part in if case .literal(let text) = part { Part.literal(change(text)) } else { part } }
    return Template(source: source, parts: changed, plainNames: plainNames)
  }

  /// A source with zeros where expressions stand, their braces included; what is wrong in one hides the rest.
  package static func literalBytes(of source: String) -> [UInt8] {
    var bytes = Array(source.utf8)
    guard bytes.contains(UInt8(ascii: "$")) else { return bytes }
    for piece in Piece.pieces(of: bytes) {
      for position in piece.place ?? 0..<0 { bytes[position] = 0 }
    }
    return bytes
  }

  /// Whether it has no expression; then `literalText` is all of it.
  package var isLiteral: Bool { expressions.isEmpty }

  /// Whether it is one expression and nothing else.
  package var isAlone: Bool { alone != nil }

  /// How much of the result is surely known only once it is made.
  package var freshness: Freshness {
    if let alone { return alone.freshness }
    return expressions.contains { $0.freshness != .none } ? .part : .none
  }

  /// The only strings that the result can be, null apart; `nil` for any.
  package var allowed: [String]? {
    alone.map(\.allowed) ?? literalText.map { [$0] }
  }

  /// The name of the first secret that may stand in the result.
  package var secret: String? { expressions.lazy.compactMap(\.secret).first }

  /// The value; `nil` where it is absent: an optional alone that holds nothing or null.
  package func evaluate(_ frame: inout Frame) throws(EvaluationError) -> Value? {
    try evaluation(&frame)
  }

  /// Puts the text together.
  private static func text(of parts: [Part], at place: Range<Int>) -> Finder.Run {
    return { frame throws(EvaluationError) in
      var (string, spans) = ("", [Text.Span]())
      for part in parts {
        switch part {
        case .literal(let text):
          try frame.spend(text.utf8.count / 64, at: place)
          string += text
        case .expression(let expression):
          let text = try expression.evaluateText(&frame)
          try frame.spend(text.weight / 64, at: place)
          if !text.isPlain { spans += text.spans.map { [offset = string.utf8.count] in $0.moved(by: offset) } }
          string += text.string
        }
      }
      return .string(Text(string: string, spans: spans))
    }
  }
}

extension Expression {
  /// The value; `nil` where it is an optional that holds nothing or null.
  fileprivate var held: Finder.Run {
    if let finding = finding?.run {
      return { frame throws(EvaluationError) in
        guard let value = try finding(&frame), !value.isNull else { return nil }
        return value.isOptional ? value.present : value
      }
    }
    if let slot {
      return { frame in
        let value = frame.roots[slot.root][slot.index]
        return value.isOptional ? value.present : value
      }
    }
    let evaluation = evaluation
    return { frame throws(EvaluationError) in
      let value = try evaluation(&frame)
      return value.isOptional ? value.present : value
    }
  }

  /// The value as text between text: a scalar; an optional is what it holds, null and nothing are errors.
  func evaluateText(_ frame: inout Frame) throws(EvaluationError) -> Text {
    let value = try evaluate(&frame).unwrapped
    if case .string(let text) = value { return text }
    guard let text = value.scalarText else {
      throw EvaluationError(
        code: value.isNull ? "null-in-text" : "no-such-overload",
        message: "\(value.shape.title) cannot stand in a text", range: range)
    }
    return Text(text)
  }
}

extension Value {
  /// What an optional holds; `nil` for nothing and for null.
  fileprivate var present: Value? {
    let held = unwrapped
    return held.isNull ? nil : held
  }
}
