/// Bytes that are added at the end.
///
/// Room is made ahead of them, so that many of them are copied in one go; this is all that is unsafe in it.
struct GrowingBytes: Sendable {
  /// Behind `count` there is nothing yet.
  private var room: [UInt8] = []
  private(set) var count = 0

  var all: [UInt8] { Array(room[..<count]) }

  mutating func removeAll() { count = 0 }

  mutating func append(_ byte: UInt8) {
    makeRoom(for: 1)
    room[count] = byte
    count += 1
  }

  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    makeRoom(for: bytes.count)
    copy(bytes, to: count)
    count += bytes.count
  }

  /// In quotation marks.
  mutating func append(quoted bytes: UnsafeBufferPointer<UInt8>) {
    makeRoom(for: bytes.count + 2)
    room[count] = UInt8(ascii: "\"")
    copy(bytes, to: count + 1)
    count += bytes.count + 2
    room[count - 1] = UInt8(ascii: "\"")
  }

  mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }

  private mutating func copy(_ bytes: UnsafeBufferPointer<UInt8>, to start: Int) {
    room.withUnsafeMutableBytes { room in
      UnsafeMutableRawBufferPointer(rebasing: room[start..<start + bytes.count])
        .copyMemory(from: UnsafeRawBufferPointer(bytes))
    }
  }

  private mutating func makeRoom(for more: Int) {
    guard count + more > room.count else { return }
    room.append(contentsOf: repeatElement(0, count: max(room.count, more, 256)))
  }
}
