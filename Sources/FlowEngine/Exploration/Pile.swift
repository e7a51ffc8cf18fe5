/// Plain values one behind the other, in room that is used again and again.
struct Pile<Element: Sendable>: Sendable {
  /// What stands behind `count` is left from before.
  private var room: [Element] = []
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }
  var indices: Range<Int> { 0..<count }

  subscript(index: Int) -> Element {
    @inline(__always) get { room[index] }
    @inline(__always) set { room[index] = newValue }
  }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count < room.count { room[count] = element } else { room.append(element) }
    count += 1
  }

  /// Begins anew behind the first so many.
  @inline(__always)
  mutating func empty(behind kept: Int = 0) { count = kept }
}
