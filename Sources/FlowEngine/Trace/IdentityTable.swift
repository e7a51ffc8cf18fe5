/// What belongs to objects, by their identity: found without hashing.
///
/// The objects must stay as long as the table does.
struct IdentityTable<Element: Sendable>: Sendable {
  /// Each object stands at the first free place from that of its number on; nothing has the number 0.
  private var numbers: [UInt]
  private var elements: [Element?]
  private var count = 0
  private var shift: UInt

  init(capacity: Int) {
    var bits: UInt = 3
    while 1 << bits < 2 * capacity { bits += 1 }
    shift = UInt(UInt.bitWidth) - bits
    numbers = Array(repeating: 0, count: 1 << bits)
    elements = Array(repeating: nil, count: 1 << bits)
  }

  init(_ entries: [(object: ObjectIdentifier, element: Element)]) {
    self.init(capacity: entries.count)
    for entry in entries { insert(entry.element, for: entry.object) }
  }

  subscript(object: ObjectIdentifier) -> Element? { elements[place(of: UInt(bitPattern: object))] }

  /// In place of what there may be.
  mutating func insert(_ element: Element, for object: ObjectIdentifier) {
    if 2 * count >= numbers.count { grow() }
    put(element, for: UInt(bitPattern: object))
  }

  private mutating func put(_ element: Element, for number: UInt) {
    let place = place(of: number)
    if numbers[place] == 0 { count += 1 }
    numbers[place] = number
    elements[place] = element
  }

  private mutating func grow() {
    var larger = IdentityTable(capacity: numbers.count)
    for place in numbers.indices {
      if let element = elements[place] { larger.put(element, for: numbers[place]) }
    }
    self = larger
  }

  /// Where it stands, or would stand.
  private func place(of number: UInt) -> Int {
    // The golden ratio spreads numbers that differ little.
    var place = Int((number &* 0x9E37_79B9_7F4A_7C15) >> shift)
    while numbers[place] != number, numbers[place] != 0 { place = (place + 1) & (numbers.count - 1) }
    return place
  }
}
