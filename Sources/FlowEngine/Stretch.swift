/// A stretch of a list that several share: one list for all that happened takes a fraction of one for each line of it.
package struct Stretch<Element: Sendable>: Sendable, RandomAccessCollection, ExpressibleByArrayLiteral {
  /// Empty as long as it still grows.
  var all: [Element]
  private let start: Int32
  private let end: Int32

  init(_ range: Range<Int>) {
    all = []
    (start, end) = (Int32(range.lowerBound), Int32(range.upperBound))
  }

  package init(arrayLiteral elements: Element...) {
    self.init(elements.indices)
    all = elements
  }

  package var startIndex: Int { Int(start) }
  package var endIndex: Int { Int(end) }

  package subscript(index: Int) -> Element {
    precondition(indices.contains(index), "What stands beside it belongs to others.")
    return all[index]
  }
}
