extension String {
  /// Equality by Unicode scalars, as CEL has it; `==` holds composed and decomposed letters equal.
  func isSame(as other: String) -> Bool {
    utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
  }

  /// Order by Unicode scalars, which is that of the UTF-8 bytes.
  func precedes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}

extension Text {
  package static func == (left: Text, right: Text) -> Bool {
    left.string.isSame(as: right.string) && left.spans == right.spans
  }

  /// The name of the first secret in it.
  package var firstSecret: String? {
    for span in spans { if case .secret(let name) = span.kind { return name } }
    return nil
  }

  /// The same text, secret from end to end if `other` has a secret or itself has.
  func markedWhole(like others: Text...) -> Text {
    for name in others.compactMap(\.firstSecret) { return marked(secret: name) }
    return self
  }
}
