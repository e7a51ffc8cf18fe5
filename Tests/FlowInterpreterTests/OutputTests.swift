import Testing

@testable import FlowInterpreter

@Test func whoListensBehindTheEndLeavesNothingBehind() async {
  let outputs = FlowOutputs()
  outputs.yield(.closedBrowser)
  outputs.finish()
  #expect(await outputs.next() != nil)
  for _ in 1...3 { #expect(await outputs.next() == nil) }
  #expect(outputs.waiters == 0)
}
