import Expressions

extension String {
  /// The pieces between the slashes of a path that begins with one, and where each begins, in UTF-8 bytes; slashes inside
  /// `${…}` separate nothing.
  var segments: [(text: String, offset: Int)] {
    if self == "/" { return [] }
    let pieces = Template.literalBytes(of: self).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return pieces.dropFirst().map { (slice($0.startIndex..<$0.endIndex), $0.startIndex) }
  }

  /// The text outside of `${…}`.
  var literalText: String { String(decoding: Template.literalBytes(of: self).filter { $0 != 0 }, as: UTF8.self) }

  /// Whether a template is begun in it; `$${` is text.
  var hasTemplate: Bool { !Template.literalBytes(of: self).elementsEqual(utf8) }

  /// What to do about a path or an address that is not written as one (RFC 3986 §2.1); `nil` for nothing.
  ///
  /// Bytes that are no UTF-8 could not be kept as text.
  var encodingHelp: String? {
    percentDecoded(String(decoding: Template.literalBytes(of: self), as: UTF8.self)).isValid
      ? nil : "behind \"%\" stand two digits of a byte, in UTF-8 (\"%C3%A9\" is é); a \"%\" of its own is \"%25\""
  }

  /// The same of a path that is asked for, where dot segments stand for no text.
  var pathHelp: String? {
    let literal = Template.literalBytes(of: self)
    guard literal.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: ".") }) else { return nil }
    return encodingHelp
      ?? (segments.contains { percentDecoded($0.text).text.isDotSegment }
        ? "\".\" and \"..\" lead to another path: write that" : nil)
  }

  /// What to write in place of variables as many servers declare them; `nil` where there are none.
  ///
  /// What stands there may have been meant as a value, and is not quoted.
  var variableHelp: String? { contains("/:") ? "a variable stands in braces: write {id} in place of :id" : nil }

  /// What to write in place of a request line that is none; `nil` where that is not known.
  var routeHelp: String? {
    if let help = pathHelp ?? variableHelp { return help }
    guard let path = split(separator: " ", maxSplits: 1).dropFirst().first, path.hasPrefix("/"), path.contains(" ")
    else { return nil }
    return "a blank in a path is \"%20\""
  }
}

extension PlacedTemplate {
  /// What an author has written as in an address, as the text that it means.
  var decoded: PlacedTemplate {
    guard template.source.utf8.contains(UInt8(ascii: "%")) else { return self }
    return PlacedTemplate(template: template.mappingText { percentDecoded($0).text }, site: site, offset: offset)
  }
}
