/// A place where a let is used: its code runs apart from the macros around it, and its errors stand there and in the let.
struct LetUse: Sendable {
  let name: String
  let cost: Int
  let range: Range<Int>

  // Three times the same, since a generic closure takes and gives its values in memory.

  func apart(_ code: @escaping Code) -> Code {
    { frame throws(EvaluationError) in
      try run(in: &frame) { frame throws(EvaluationError) in try code(&frame) }
    }
  }

  func apart(_ test: Test) -> Test {
    let code = test.run
    return Test { frame throws(EvaluationError) in
      try run(in: &frame) { frame throws(EvaluationError) in try code(&frame) }
    }
  }

  func apart(_ finder: Finder) -> Finder {
    let code = finder.run
    return Finder { frame throws(EvaluationError) in
      try run(in: &frame) { frame throws(EvaluationError) in try code(&frame) }
    }
  }

  @inline(__always)
  private func run<Result>(
    in frame: inout Frame, _ code: (inout Frame) throws(EvaluationError) -> Result
  ) throws(EvaluationError) -> Result {
    try frame.spend(cost, at: range)
    do throws(EvaluationError) {
      if frame.locals.isEmpty { return try code(&frame) }
      let outer = frame.locals
      frame.locals = []
      defer { frame.locals = outer }
      return try code(&frame)
    } catch {
      var error = error
      error.definition = error.definition ?? EvaluationError.Definition(name: name, range: error.range)
      error.range = range
      throw error
    }
  }
}
