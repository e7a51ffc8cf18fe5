/// A string that is a key by its Unicode scalars: `==` holds composed and decomposed letters equal.
package struct ScalarString: Hashable, Sendable {
  package let string: String

  package init(_ string: String) { self.string = string }

  package static func == (left: Self, right: Self) -> Bool {
    left.string.utf8.count == right.string.utf8.count && left.string == right.string
      && left.string.utf8.elementsEqual(right.string.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    var string = string
    string.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
