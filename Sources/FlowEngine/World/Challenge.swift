import Expressions

/// `WWW-Authenticate` (RFC 9110 §11.6.1) as expressions read it: for each scheme in lower case its parameters; the
/// first of a scheme counts.
///
/// What cannot be parsed gives nothing.
package enum Challenge {
  static func value(of headers: [NamedValue]) -> Value {
    var schemes = ValueMap()
    guard headers.index(named: "www-authenticate") != nil else { return .map(schemes) }
    var known: Set<String> = []
    for header in headers where header.name == "www-authenticate" {
      guard let line = header.value.text, let challenges = parse(line.string) else { continue }
      for challenge in challenges where known.insert(challenge.scheme.lowercased()).inserted {
        var (parameters, names) = (ValueMap(), Set<String>())
        for parameter in challenge.parameters where names.insert(parameter.name.lowercased()).inserted {
          let name = name(parameter.name, endingAt: parameter.nameEnd, in: line)
          _ = parameters.append(.string(value(of: parameter, in: line)), at: name)
        }
        _ = schemes.append(.map(parameters), at: name(challenge.scheme, endingAt: challenge.schemeEnd, in: line))
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
      skipSpace()
      guard index == bytes.count || isAt(",") || !challenge.parameters.isEmpty else { return nil }
      skipListSeparators()
    }
    return all.isEmpty ? nil : all
  }

  /// What stands behind a scheme and a space; `false` when it does not follow the grammar.
  private mutating func readDetails(of challenge: inout Challenge.Parsed) -> Bool {
    let start = index
    let isListed = isAt(",")
    if isListed {
      // An empty element of the list of parameters, or the comma before the next challenge.
      skipListSeparators()
    } else if skipToken68() {
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
      skipSpace()
      guard isAt("=") else {
        // A token alone behind a comma begins the next challenge.
        index = start
        return all.isEmpty ? nil : all
      }
      index += 1
      skipSpace()
      let first = index
      let isQuoted = isAt("\"")
      guard let value = isQuoted ? quoted() : token() else { return nil }
      let place = isQuoted ? (first + 1)..<(index - 1) : first..<index
      all.append(Challenge.Parameter(name: name, nameEnd: nameEnd, value: value, place: place))
      skipSpace()
      guard index < bytes.count else { break }
      guard isAt(",") else { return nil }
      skipListSeparators()
    }
    return all
  }

  private func isAt(_ byte: Unicode.Scalar) -> Bool { bytes[index...].first == UInt8(ascii: byte) }

  private static func isSpace(_ byte: UInt8) -> Bool { " \t\r\n".utf8.contains(byte) }

  private static func isOfToken(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }

  private mutating func skipListSeparators() { _ = taken { $0 == UInt8(ascii: ",") || Self.isSpace($0) } }

  @discardableResult
  private mutating func skipSpace() -> Bool { taken(while: Self.isSpace) != nil }

  private mutating func token() -> String? { taken(while: Self.isOfToken) }

  private mutating func taken(while isSought: (UInt8) -> Bool) -> String? {
    let rest = bytes[index...].drop(while: isSought)
    defer { index = rest.startIndex }
    return rest.startIndex > index ? String(decoding: bytes[index..<rest.startIndex], as: UTF8.self) : nil
  }

  /// A token68 stands alone up to the next comma; otherwise nothing is skipped.
  private mutating func skipToken68() -> Bool {
    let start = index
    let body = taken { Self.isOfToken($0) || $0 == UInt8(ascii: "/") }
    _ = taken { $0 == UInt8(ascii: "=") }
    skipSpace()
    if body != nil, index == bytes.count || isAt(",") { return true }
    index = start
    return false
  }

  private mutating func quoted() -> String? {
    var value: [UInt8] = []
    var isEscaped = false
    for cursor in (index + 1)..<bytes.count {
      if isEscaped || ![UInt8(ascii: "\""), UInt8(ascii: "\\")].contains(bytes[cursor]) {
        value.append(bytes[cursor])
        isEscaped = false
      } else if bytes[cursor] == UInt8(ascii: "\\") {
        isEscaped = true
      } else {
        index = cursor + 1
        return String(decoding: value, as: UTF8.self)
      }
    }
    return nil
  }
}
