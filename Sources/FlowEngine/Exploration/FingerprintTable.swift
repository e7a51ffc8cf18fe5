/// Which number each fingerprint has; a table with open buckets, at most three quarters full.
struct FingerprintTable {
  private struct Bucket {
    var fingerprint = Fingerprint(first: 0, second: 0)
    /// -1 where there is none.
    var number: Int32 = -1
  }

  /// As many as a power of two.
  private var buckets = Array(repeating: Bucket(), count: 1024)
  private var count = 0

  /// The number of a fingerprint, `nil` when it was not added.
  subscript(_ fingerprint: Fingerprint) -> Int? {
    let number = buckets[index(of: fingerprint)].number
    return number < 0 ? nil : Int(number)
  }

  /// Adds a fingerprint that is not there yet.
  mutating func add(_ fingerprint: Fingerprint, number: Int) {
    if 4 * count >= 3 * buckets.count { grow() }
    buckets[index(of: fingerprint)] = Bucket(fingerprint: fingerprint, number: Int32(number))
    count += 1
  }

  /// Shows all of them, in an order that says nothing.
  func iterate(_ body: (Fingerprint, _ number: Int) -> Void) {
    for bucket in buckets where bucket.number >= 0 { body(bucket.fingerprint, Int(bucket.number)) }
  }

  /// Where it stands, or would stand: a fingerprint says by itself where to begin.
  private func index(of fingerprint: Fingerprint) -> Int {
    var index = Int(truncatingIfNeeded: fingerprint.first) & (buckets.count - 1)
    while buckets[index].number >= 0, buckets[index].fingerprint != fingerprint {
      index = (index + 1) & (buckets.count - 1)
    }
    return index
  }

  private mutating func grow() {
    var old = Array(repeating: Bucket(), count: 2 * buckets.count)
    swap(&old, &buckets)
    for bucket in old where bucket.number >= 0 { buckets[index(of: bucket.fingerprint)] = bucket }
  }
}
