import Expressions

/// `WWW-Authenticate` (RFC 9110 §11.6.1) as expressions read it: for each scheme in lower case its parameters; the
/// first of a scheme counts.
///
/// What cannot be parsed gives nothing.
package enum Challenge {
  package static func value(of headers: [NamedValue]) -> Value {
    var schemes = ValueMap()
    guard headers.index(named: "www-authenticate") != nil else { return .map(schemes) }
    for header in headers where header.name == "www-authenticate" {
      guard let line = header.value.text, let challenges = parse(line.string) else { continue }
      for challenge in challenges where schemes[challenge.scheme.lowercased()] == nil {
        var parameters = ValueMap()
        for parameter in challenge.parameters where parameters[parameter.name.lowercased()] == nil {
          let name = name(parameter.name, endingAt: parameter.nameEnd, in: line)
          parameters[name] = .string(value(of: parameter, in: line))
        }
        schemes[name(challenge.scheme, endingAt: challenge.schemeEnd, in: line)] = .map(parameters)
      }
    }
    return .map(schemes)
  }

  /// A name in lower case, secret where a part of it is so in its line.
  private static func name(_ name: String, endingAt end: Int, in line: Text) -> Value {
    .string(Text(name.lowercased()).markedWhole(like: line.slice(end - name.utf8.count..<end) ?? line))
  }

  /// The value with the marks and origins that it has in its line; where a backslash was undone, with its mark alone.
  private static func value(of parameter: Parameter, in line: Text) -> Text {
    guard !line.isPlain, let piece = line.slice(parameter.place) else { return Text(parameter.value) }
    if piece.string == parameter.value { return piece }
    return Text(parameter.value).markedWhole(like: piece)
  }

  package struct Parsed: Sendable, Hashable {
    package var scheme: String
    /// UTF-8 offset in the line behind it.
    package var schemeEnd: Int
    package var token68: String?
    package var parameters: [Parameter] = []
  }

  package struct Parameter: Sendable, Hashable {
    package var name: String
    package var nameEnd: Int
    package var value: String
    /// UTF-8 offsets in the line, quotes not included.
    package var place: Range<Int>
  }

  /// The challenges of one header line; `nil` when it does not follow the grammar.
  package static func parse(_ line: String) -> [Parsed]? {
    var scanner = ChallengeScanner(Array(line.utf8))
    return scanner.challenges()
  }
}

private struct ChallengeScanner {
  let bytes: [UInt8]
  var index = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func challenges() -> [Challenge.Parsed]? {
    var all: [Challenge.Parsed] = []
    skipListSeparators()
    while index < bytes.count {
      guard let scheme = token() else { return nil }
      var challenge = Challenge.Parsed(scheme: scheme, schemeEnd: index)
      if skipSpace(), index < bytes.count {
        guard readDetails(of: &challenge) else { return nil }
      }
      all.append(challenge)
      _ = skipSpace()
      guard index == bytes.count || bytes[index] == UInt8(ascii: ",") || all.last?.parameters.isEmpty == false else {
        return nil
      }
      skipListSeparators()
    }
    return all.isEmpty ? nil : all
  }

  /// What stands behind a scheme and a space; `false` when it does not follow the grammar.
  private mutating func readDetails(of challenge: inout Challenge.Parsed) -> Bool {
    let start = index
    let isListed = bytes[index] == UInt8(ascii: ",")
    if isListed {
      // An empty element of the list of parameters, or the comma before the next challenge.
      skipListSeparators()
    } else if let token68 = token68() {
      challenge.token68 = token68
      return true
    }
    if let parameters = parameters() {
      challenge.parameters = parameters
    } else {
      index = start
    }
    return isListed || index > start
  }

  /// Parameters up to the next scheme, or the end.
  private mutating func parameters() -> [Challenge.Parameter]? {
    var all: [Challenge.Parameter] = []
    while index < bytes.count {
      let start = index
      guard let name = token() else { return nil }
      let nameEnd = index
      _ = skipSpace()
      guard index < bytes.count, bytes[index] == UInt8(ascii: "=") else {
        // A token alone behind a comma begins the next challenge.
        index = start
        return all.isEmpty ? nil : all
      }
      index += 1
      _ = skipSpace()
      let first = index
      let isQuoted = index < bytes.count && bytes[index] == UInt8(ascii: "\"")
      guard let value = isQuoted ? quoted() : token() else { return nil }
      let place = isQuoted ? (first + 1)..<(index - 1) : first..<index
      all.append(Challenge.Parameter(name: name, nameEnd: nameEnd, value: value, place: place))
      _ = skipSpace()
      guard index < bytes.count else { break }
      guard bytes[index] == UInt8(ascii: ",") else { return nil }
      skipListSeparators()
    }
    return all
  }

  private mutating func skipListSeparators() {
    while index < bytes.count, bytes[index] == UInt8(ascii: ",") || isSpace(bytes[index]) { index += 1 }
  }

  private mutating func skipSpace() -> Bool {
    let start = index
    while index < bytes.count, isSpace(bytes[index]) { index += 1 }
    return index > start
  }

  private func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n")
  }

  private mutating func token() -> String? {
    let start = index
    while index < bytes.count, isTokenByte(bytes[index]) { index += 1 }
    return index > start ? String(decoding: bytes[start..<index], as: UTF8.self) : nil
  }

  private func isTokenByte(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }

  /// A token68 stands alone up to the next comma; otherwise nothing is taken.
  private mutating func token68() -> String? {
    let start = index
    while index < bytes.count, isTokenByte(bytes[index]) || bytes[index] == UInt8(ascii: "/") { index += 1 }
    let body = index
    while index < bytes.count, bytes[index] == UInt8(ascii: "=") { index += 1 }
    let end = index
    _ = skipSpace()
    guard body > start, index == bytes.count || bytes[index] == UInt8(ascii: ",") else {
      index = start
      return nil
    }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  private mutating func quoted() -> String? {
    guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { return nil }
    var value: [UInt8] = []
    var cursor = index + 1
    while cursor < bytes.count {
      switch bytes[cursor] {
      case UInt8(ascii: "\""):
        index = cursor + 1
        return String(decoding: value, as: UTF8.self)
      case UInt8(ascii: "\\") where cursor + 1 < bytes.count:
        value.append(bytes[cursor + 1])
        cursor += 2
      default:
        value.append(bytes[cursor])
        cursor += 1
      }
    }
    return nil
  }
}
