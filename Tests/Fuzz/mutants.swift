#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Loads and runs every mutant of each of a set of documents: cut off at every byte, and with any token dropped, doubled or in
/// the place of another.
///
/// `EVERY` in the environment takes each so-manieth.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let shelf = Shelf(UnsafeBufferPointer(start: start, count: count))
  let every = getenv("EVERY").flatMap { Int(String(cString: $0)) } ?? 1
  for (path, bytes) in shelf.documents.sorted(by: { $0.key < $1.key }) {
    var changed = shelf
    for length in stride(from: 0, to: bytes.count, by: every) {
      changed.documents[path] = Array(bytes.prefix(length))
      changed.loadAndRun()
    }
    for grain in Mutation.Grain.allCases {
      for mutant in Mutation(of: bytes, grain, every: every) {
        changed.documents[path] = mutant
        changed.loadAndRun()
      }
    }
  }
  return 0
}
