extension Template {
  /// A stretch of the source, before it is parsed.
  enum Piece {
    case literal(String)
    /// Tokens, and the range of the text inside the braces.
    case tokens([Token], Range<Int>)
    /// What is wrong, and the rest of the source.
    case broken(ExpressionProblem, Range<Int>)

    /// Where an expression stands, with its braces; `nil` for text.
    var place: Range<Int>? {
      switch self {
      case .literal: nil
      case .tokens(_, let range): (range.lowerBound - 2)..<(range.upperBound + 1)
      case .broken(_, let range): range
      }
    }

    /// The longest string that may hold expressions.
    static let longest = 262_144

    static func pieces(of bytes: [UInt8]) -> [Piece] {
      guard bytes.count <= longest else { return [longPiece(of: bytes)] }
      var pieces: [Piece] = []
      var literal = ""
      var (position, textStart) = (0, 0)
      let (dollar, brace) = (UInt8(ascii: "$"), UInt8(ascii: "{"))
      func takeText(to end: Int) {
        if textStart < end { literal += String(decoding: bytes[textStart..<end], as: UTF8.self) }
      }
      func flush() {
        if !literal.isEmpty { pieces.append(.literal(literal)) }
        literal = ""
      }
      while position < bytes.count {
        guard bytes[position] == dollar, position + 1 < bytes.count else {
          position += 1
          continue
        }
        if bytes[position + 1] == dollar, position + 2 < bytes.count, bytes[position + 2] == brace {
          takeText(to: position)
          textStart = position + 1
          position += 3
        } else if bytes[position + 1] == brace {
          takeText(to: position)
          flush()
          let start = position + 2
          do throws(ExpressionProblem) {
            let tokens = try Lexer.tokens(of: bytes, from: start)
            let end = tokens.last?.range.lowerBound ?? start
            try Parser.checkLength(start..<end)
            pieces.append(.tokens(tokens, start..<end))
            position = end + 1
            textStart = position
          } catch { return pieces + [.broken(error, position..<bytes.count)] }
        } else {
          position += 1
        }
      }
      takeText(to: bytes.count)
      flush()
      return pieces
    }

    /// Megabytes of text are text; with an expression in them they are a mistake that would take its time.
    private static func longPiece(of bytes: [UInt8]) -> Piece {
      for index in bytes.indices.dropLast()
      where bytes[index] == UInt8(ascii: "$") && bytes[index + 1] == UInt8(ascii: "{") {
        let problem = ExpressionProblem(
          code: "too-long",
          message: "a string with an expression has \(bytes.count) bytes, and at most \(longest) are read",
          range: index..<index + 2, label: "an expression begins here")
        return .broken(problem, bytes.indices)
      }
      return .literal(String(decoding: bytes, as: UTF8.self))
    }
  }
}

extension Template {
  /// Where the brace stands that closes an expression; `nil` where there is none to read.
  package static func closingBrace(ofExpressionAt start: Int, in bytes: [UInt8]) -> Int? {
    guard let tokens = try? Lexer.tokens(of: bytes, from: start), (try? Parser.parse(tokens)) != nil
    else { return nil }
    return tokens.last?.range.lowerBound
  }
}

extension Template.Part {
  /// What cannot stand between text is known before it runs.
  var problemInText: ExpressionProblem? {
    guard case .expression(let expression) = self else { return nil }
    let type = expression.type.unwrapped
    guard type.shape.isDisjoint(with: .scalar) else { return nil }
    return ExpressionProblem(
      code: "type-mismatch", message: "\(type.title) cannot stand in a text", range: expression.range,
      label: type.title, help: "only scalars have a text")
  }
}
