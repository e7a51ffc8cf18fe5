/// What belongs to objects, by their identity: found without hashing.
///
/// The objects must stay as long as the table does.
struct IdentityTable<Element: Sendable>: Sendable {
  /// Each object stands at the first free place from that of its number on; nothing has the number 0.
  private var numbers: [UInt]
  private var elements: [Element?]
  private let shift: UInt

  init(_ entries: [(object: ObjectIdentifier, element: Element)]) {
    var bits: UInt = 3
    while 1 << bits < 2 * entries.count { bits += 1 }
    shift = UInt(UInt.bitWidth) - bits
    numbers = Array(repeating: 0, count: 1 << bits)
    elements = Array(repeating: nil, count: 1 << bits)
    for (object, element) in entries {
      let place = place(of: UInt(bitPattern: object))
      numbers[place] = UInt(bitPattern: object)
      elements[place] = element
    }
  }

  subscript(object: ObjectIdentifier) -> Element? { elements[place(of: UInt(bitPattern: object))] }

  /// Where it stands, or would stand.
  private func place(of number: UInt) -> Int {
    // The golden ratio spreads numbers that differ little.
    var place = Int((number &* 0x9E37_79B9_7F4A_7C15) >> shift)
    while numbers[place] != number, numbers[place] != 0 { place = (place + 1) & (numbers.count - 1) }
    return place
  }
}
