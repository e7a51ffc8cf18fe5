/// Bytes that are added at the end.
///
/// Room is made ahead of them, so that many of them are copied in one go; this is all that is unsafe in it.
struct GrowingBytes: Sendable {
  /// Behind `count` there is nothing yet.
  private var room: [UInt8] = []
  private(set) var count = 0

  var all: [UInt8] { Array(room[..<count]) }

  /// Gives all bytes and begins anew, without a copy.
  mutating func taken() -> [UInt8] {
    var taken: [UInt8] = []
    swap(&taken, &room)
    taken.removeLast(taken.count - count)
    count = 0
    return taken
  }

  mutating func append(_ byte: UInt8) {
    makeRoom(for: 1)
    room[count] = byte
    count += 1
  }

  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    write(atMost: bytes.count) { $0.append(bytes) }
  }

  /// In quotation marks, behind a comma and before a colon where those are wanted.
  mutating func append(quoted bytes: UnsafeBufferPointer<UInt8>, comma: Bool, colon: Bool) {
    write(atMost: bytes.count + 4) { end in
      if comma { end.append(UInt8(ascii: ",")) }
      end.append(UInt8(ascii: "\""))
      end.append(bytes)
      end.append(UInt8(ascii: "\""))
      if colon { end.append(UInt8(ascii: ":")) }
    }
  }

  mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }

  /// Writes behind what there is, into room that is made for it.
  @inline(__always)
  private mutating func write(atMost most: Int, _ body: (inout End) -> Void) {
    makeRoom(for: most)
    let start = count
    count = room.withUnsafeMutableBufferPointer { room in
      var end = End(room: room, count: start)
      body(&end)
      return end.count
    }
  }

  @inline(__always)
  private mutating func makeRoom(for more: Int) {
    if count + more > room.count { grow(by: more) }
  }

  private mutating func grow(by more: Int) {
    room.append(contentsOf: repeatElement(0, count: max(room.count, more, 256)))
  }
}

/// Where the next bytes go; there is room for them.
private struct End {
  let room: UnsafeMutableBufferPointer<UInt8>
  var count: Int

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    room[count] = byte
    count += 1
  }

  @inline(__always)
  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let source = bytes.baseAddress, let target = room.baseAddress else { return }
    (target + count).update(from: source, count: bytes.count)
    count += bytes.count
  }
}
