import Expressions

/// A piece of a path's template between two slashes.
struct Segment: Sendable, Hashable {
  let text: String
  /// Where it begins in the whole, in UTF-8 bytes.
  let offset: Int
}

extension String {
  /// The pieces between the slashes of a path that begins with one; slashes inside `${…}` separate nothing.
  var segments: [Segment] {
    if self == "/" { return [] }
    let pieces = literalBytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
    return pieces.map { Segment(text: slice($0.startIndex..<$0.endIndex), offset: $0.startIndex) }
  }

  /// The text outside of `${…}`.
  var literalText: String { String(decoding: literalBytes.filter { $0 != 0 }, as: UTF8.self) }

  /// With zeros where `${…}` stands.
  private var literalBytes: [UInt8] {
    var bytes = Array(utf8)
    for position in Template.places(in: self).joined() { bytes[position] = 0 }
    return bytes
  }
}
