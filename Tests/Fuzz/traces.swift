import FlowEngine

/// Reads any bytes as a trace, tells what it reads, and compares it with itself.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  _ = GoldenComparison.compare(golden: bytes, run: Array(bytes.prefix(count / 2)))
  guard let trace = try? Trace(reading: bytes) else { return 0 }
  _ = Timeline(trace).text
  return 0
}
