import Expressions
import JSONSyntax

extension Text {
  /// What an alias stands for: secrets, and the fresh and derived values outside them.
  ///
  /// In order, without overlap.
  /// A secret that covers a part of a fresh value hides the whole of it.
  var hiddenPieces: [Span] {
    var pieces: [Span] = []
    for span in spans {
      switch span.kind {
      case .origin(.identifier): continue
      case .secret, .origin, .digest, .kept: break
      }
      guard let last = pieces.last, last.range.upperBound > span.range.lowerBound else {
        pieces.append(span)
        continue
      }
      let union = last.range.lowerBound..<max(last.range.upperBound, span.range.upperBound)
      let kind = if case .secret = last.kind { last.kind } else { span.kind }
      pieces[pieces.count - 1] = Span(range: union, kind: kind)
    }
    return pieces
  }

  /// Whether it is one origin from end to end that is not shown.
  var isHiddenWhole: Bool { originKey?.isHidden ?? false }

  /// What hides a text that is not one origin from end to end, `nil` where a part is plain.
  var hiddenWhole: Span.Kind? {
    let whole = 0..<string.utf8.count
    // Most such texts are one secret, and nothing else starts before it.
    if let first = spans.first, case .secret = first.kind, first.range == whole { return first.kind }
    guard let first = hiddenPieces.first, first.range == whole else { return nil }
    return first.kind
  }

  /// The same text, secret from end to end unless it is hidden from end to end already.
  func hidden(as name: String) -> Text {
    originKey?.isHidden ?? (hiddenWhole != nil) ? self : marked(secret: name)
  }
}

extension Text {
  /// The text of a real server's answer, hidden as a whole; one in which a secret is known is one from end to end.
  var hiddenAnswer: Text { hidden(as: firstSecret ?? Self.unknownSecret) }
}

/// The name with everything that an alias is not made of as `_`.
func aliasName(_ name: String) -> String {
  if !name.isEmpty, !name.hasByte(where: { !bytesOfAlias.contains($0) }) { return name }
  var result = ""
  for scalar in name.unicodeScalars {
    let isUsable =
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".": true
      default: !scalar.isASCII && scalar.properties.isAlphabetic
      }
    result.unicodeScalars.append(isUsable ? scalar : "_")
  }
  return result.isEmpty ? "secret" : result
}

/// Puts a `#` behind each `<` that begins something that reads like an alias: no bracket, then `#`, digits, `)`, `>`.
func escapingLookalikes(_ text: String) -> String {
  guard text.hasBracket else { return text }
  let bytes = Array(text.utf8)
  var result: [UInt8] = []
  for (index, byte) in bytes.enumerated() {
    result.append(byte)
    if byte == UInt8(ascii: "<"), looksLikeAlias(bytes[(index + 1)...]) { result.append(UInt8(ascii: "#")) }
  }
  return String(decoding: result, as: UTF8.self)
}

func looksLikeAlias(_ rest: ArraySlice<UInt8>) -> Bool {
  let bracket = { (byte: UInt8) in byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">") }
  guard let end = rest.firstIndex(where: bracket), rest[end] == UInt8(ascii: ">") else { return false }
  let inner = rest[rest.startIndex..<end]
  let digits = inner.reversed().drop { $0 == UInt8(ascii: ")") }
  let beforeDigits = digits.drop(while: \.isDigit)
  return beforeDigits.count < digits.count && beforeDigits.first == UInt8(ascii: "#")
}

/// The characters of ASCII that an alias is made of.
private let bytesOfAlias = KeptBytes("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.")

extension String {
  var hasBracket: Bool { hasByte { $0 == UInt8(ascii: "<") } }

  /// Goes through the bytes where they stand, which takes a fraction of what it takes through the view of them.
  func hasByte(where isSought: (UInt8) -> Bool) -> Bool {
    utf8.withContiguousStorageIfAvailable { $0.contains(where: isSought) } ?? utf8.contains(where: isSought)
  }
}
