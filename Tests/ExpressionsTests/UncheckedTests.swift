import Testing

@testable import Expressions

@Test(arguments: [true, false]) func helpIsWorkedOutWhereItIsTold(isChecked: Bool) {
  var asked = 0
  func help() -> String? {
    asked += 1
    return "help \(asked)"
  }
  var compiler = Compiler(scope: World.scope, source: [], isChecked: isChecked)
  _ = compiler.fail("unknown-name", "m", at: 0..<0, label: "l", help: help())
  compiler.report("unknown-value", "m", at: 0..<0, label: "l", help: help())
  compiler.mismatch("m", at: 0..<0, label: "l", help: help())
  #expect(asked == (isChecked ? 3 : 0))
  #expect(compiler.problems.map(\.help) == (isChecked ? ["help 1", "help 2", "help 3"] : []))
}
