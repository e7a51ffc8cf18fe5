/// LibFuzzer's own mutation, of bytes.
@_silgen_name("LLVMFuzzerMutate")
private func mutateBytes(_ start: UnsafeMutablePointer<UInt8>, _ count: Int, _ most: Int) -> Int

/// Mostly moves whole tokens about: what chance does to single bytes is seldom JSON any more.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(_ start: UnsafeMutablePointer<UInt8>, _ count: Int, _ most: Int, _ seed: CUnsignedInt) -> Int {
  var chance = Chance(state: UInt64(seed) | 1 << 40)
  guard chance.below(4) > 0 else { return mutateBytes(start, count, most) }
  var bytes = Array(UnsafeBufferPointer(start: start, count: count))
  for _ in 0...chance.below(3) { moveToken(in: &bytes, &chance) }
  bytes = Array(bytes.prefix(most))
  for (index, byte) in bytes.enumerated() { start[index] = byte }
  return bytes.count
}

/// What calculations go wrong with.
private let extremes = [
  "9223372036854775807", "-9223372036854775808", "1000", "0", "-1", "1e300", "-1e300", "null", "\"\"", "{}", "[]",
  "\"100000d\"", "\"1ns\"", "\"0s\"", "\"9999-12-31T23:59:59Z\"", "\"-infs\"",
]

private func moveToken(in bytes: inout [UInt8], _ chance: inout Chance) {
  let tokens = Mutation.tokens(of: bytes, chance.below(2) == 0 ? .json : .words)
  guard !tokens.isEmpty else { return }
  let (from, to) = (tokens[chance.below(tokens.count)], tokens[chance.below(tokens.count)])
  let moved = Array(bytes[from])
  switch chance.below(5) {
  case 0: bytes.removeSubrange(to)
  case 1: bytes.insert(contentsOf: moved, at: to.lowerBound)
  case 2: bytes.replaceSubrange(to, with: extremes[chance.below(extremes.count)].utf8)
  default: bytes.replaceSubrange(to, with: moved)
  }
}

/// A small generator of numbers that look random (Marsaglia's xorshift), so that a run is made by its seed alone.
private struct Chance {
  var state: UInt64

  mutating func below(_ bound: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state % UInt64(bound))
  }
}
