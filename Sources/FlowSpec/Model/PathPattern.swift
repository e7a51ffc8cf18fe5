import Expressions

/// The path of a route or a link: `/devices/{id}/refresh`, `/Transactions({key})/Submit`.
package struct PathPattern: Sendable, Hashable {
  package enum Segment: Sendable, Hashable {
    case literal(String)
    /// A variable, and the text that stands around it in the segment.
    indirect case variable(String, before: String, behind: String)
  }
  package let segments: [Segment]
}

extension PathPattern {
  /// Of percent-encoded text; `nil` when it is none, braces do not enclose one name in a segment, a variable stands twice,
  /// or is written `:name`.
  init?(_ path: String) {
    guard path.pathHelp == nil else { return nil }
    var segments: [Segment] = []
    let slash = UInt8(ascii: "/")
    for text in path == "/" ? [] : path.utf8.dropFirst().split(separator: slash, omittingEmptySubsequences: false) {
      guard let segment = Segment(Substring(text)) else { return nil }
      segments.append(segment)
    }
    self.init(segments: segments)
    guard Set(variables).count == variables.count else { return nil }
  }

  var variables: [String] { segments.compactMap(\.variable) }

  /// Whether it matches whatever another of as many segments does.
  func covers(_ other: PathPattern) -> Bool { zip(segments, other.segments).allSatisfy { $0.covers($1) } }

  /// The same as text, percent-encoded, with its variables unnamed: `/devices/{}/refresh`, what is one for all that match
  /// the same.
  var shape: String { segments.shape }
}

extension PathPattern.Segment {
  fileprivate init?(_ text: Substring) {
    let utf8 = text.utf8
    func isPlain(_ text: Substring.UTF8View) -> Bool { !text.contains { "{}?# ".utf8.contains($0) } }
    guard let open = utf8.firstIndex(of: UInt8(ascii: "{")) else {
      // `:id` is how others write a variable.
      guard isPlain(utf8), utf8.first != UInt8(ascii: ":") else { return nil }
      self = .literal(percentDecoded(String(text)).text)
      return
    }
    let rest = utf8[utf8.index(after: open)...]
    guard let close = rest.firstIndex(of: UInt8(ascii: "}")) else { return nil }
    let (before, behind) = (text[..<open], text[utf8.index(after: close)...])
    let name = String(text[rest.startIndex..<close])
    guard name.isIdentifier, isPlain(before.utf8), isPlain(behind.utf8) else { return nil }
    self = .variable(name, before: percentDecoded(String(before)).text, behind: percentDecoded(String(behind)).text)
  }

  /// The name of its variable; `nil` without one.
  package var variable: String? {
    if case .variable(let name, _, _) = self { name } else { nil }
  }

  fileprivate func covers(_ other: PathPattern.Segment) -> Bool {
    switch (self, other) {
    case (_, .literal(let text)): matches(Text(text))
    case (.literal, .variable): false
    case (.variable(_, let before, let behind), .variable(_, let otherBefore, let otherBehind)):
      otherBefore.utf8.starts(with: before.utf8) && otherBehind.utf8.ends(with: behind.utf8)
    }
  }

  func matches(_ text: Text) -> Bool {
    switch self {
    case .literal(let literal):
      (text.isPlain || text.mayHave(length: literal.utf8.count)) && literal.isSame(as: text.string)
    case .variable(_, "", ""): !text.isEmpty
    case .variable: value(in: text)?.isEmpty == false
    }
  }

  /// What stands for its variable; `nil` without one, and where the text around it is another.
  func value(in text: Text) -> Text? {
    if isWhole { return text }
    return range(in: text).flatMap { text.slice($0) }
  }

  /// Whether its variable is all of it.
  private var isWhole: Bool { if case .variable(_, "", "") = self { true } else { false } }

  /// The text with another value for its variable.
  package func replacing(in text: Text, with change: (Text) -> Text) -> Text {
    if isWhole { return change(text) }
    guard let range = range(in: text), let value = text.slice(range), let start = text.slice(0..<range.lowerBound),
      let end = text.slice(range.upperBound..<text.string.utf8.count)
    else { return text }
    return start + change(value) + end
  }

  private func range(in text: Text) -> Range<Int>? {
    guard case .variable(_, let before, let behind) = self else { return nil }
    let utf8 = text.string.utf8
    guard utf8.count >= before.utf8.count + behind.utf8.count, utf8.starts(with: before.utf8),
      utf8.ends(with: behind.utf8)
    else { return nil }
    return before.utf8.count..<(utf8.count - behind.utf8.count)
  }

  /// Whether a template may become what it matches: an expression may become anything.
  func mayMatch(_ template: Template) -> Bool {
    if let text = template.literalText {
      // Most segments are, and are compared with those of many routes.
      if case .literal(let literal) = self { return literal.isSame(as: text) }
      return matches(Text(text))
    }
    guard case .variable = self else { return true }
    let start = if case .literal(let text)? = template.parts.first { text } else { "" }
    let end = if case .literal(let text)? = template.parts.last { text } else { "" }
    return mayBegin(start[...], andEnd: end[...])
  }

  /// The same of a text that is written out but for parts of it.
  fileprivate func mayMatch(_ text: String) -> Bool {
    guard let unknown = text.firstIndex(of: WrittenOutAddress.unknown) else { return matches(Text(text)) }
    let end = text[text.index(after: text.lastIndex(of: WrittenOutAddress.unknown) ?? unknown)...]
    if case .literal(let literal) = self {
      return literal.utf8.starts(with: text[..<unknown].utf8) && literal.utf8.ends(with: end.utf8)
    }
    return mayBegin(text[..<unknown], andEnd: end)
  }

  private func mayBegin(_ start: Substring, andEnd end: Substring) -> Bool {
    guard case .variable(_, let before, let behind) = self else { return false }
    let length = min(end.utf8.count, behind.utf8.count)
    return (start.utf8.starts(with: before.utf8) || before.utf8.starts(with: start.utf8))
      && end.utf8.suffix(length).elementsEqual(behind.utf8.suffix(length))
  }
}

extension [PathPattern.Segment] {
  package func matches(_ path: [Text]) -> Bool {
    guard count == path.count else { return false }
    // What stands last tells most of them apart.
    for index in indices.reversed() where !self[index].matches(path[index]) { return false }
    return true
  }

  /// Whether the first of them may match these, of which parts may be known in a run alone.
  func start(with path: [String]) -> Bool { zip(self, path).allSatisfy { $0.mayMatch($1) } }

  /// As `PathPattern.shape` has them.
  var shape: String {
    reduce(into: "") { shape, segment in
      switch segment {
      case .literal(let text): shape += "/" + pathEncoded(text)
      case .variable(_, let before, let behind): shape += "/" + pathEncoded(before) + "{}" + pathEncoded(behind)
      }
    }
  }

  /// The variables of a path that matches, in order.
  package func variables(in path: [Text]) -> ValueMap {
    ValueMap(
      distinct: zip(self, path).compactMap { segment, text in
        guard let name = segment.variable, let value = segment.value(in: text) else { return nil }
        return ValueMap.Entry(key: .string(name), value: .string(value))
      })
  }
}

extension BidirectionalCollection<UInt8> {
  /// As a run compares texts: `hasSuffix` holds composed and decomposed letters equal.
  fileprivate func ends(with other: some BidirectionalCollection<UInt8>) -> Bool {
    reversed().starts(with: other.reversed())
  }
}
