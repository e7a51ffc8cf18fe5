/// Loads documents that stand one behind another, and runs and tells what loads.
///
/// Each stands below a line `=== path`: `flow.json`, the models that it names, `scenario.json`.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  Shelf(UnsafeBufferPointer(start: start, count: count)).loadAndRun()
  return 0
}
