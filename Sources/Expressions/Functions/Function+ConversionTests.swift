extension Function {
  /// `isInt(x)` and its like: whether `int(x)` gives something, x being there.
  static let conversionTests: [Function] = conversions.filter { !["dyn", "seconds"].contains($0.name) }.map {
    conversion in
    let name = "is" + conversion.name.prefix(1).uppercased() + conversion.name.dropFirst()
    let convert = conversion.body
    return Function(name, [.any], .bool, tests: convert) { arguments, range throws(EvaluationError) in
      .bool(try gives(something: convert, of: arguments[0].unwrapped, at: range))
    }
  }

  /// Whether a conversion gives something.
  static func gives(
    something convert: Body, of value: Value, at range: Range<Int>
  ) throws(EvaluationError) -> Bool {
    do throws(EvaluationError) {
      _ = try convert(Arguments(value), range)
      return true
    } catch {
      // Of what is made in the run nothing may be found out.
      if error.code == "looks-into-fresh" { throw error }
      return false
    }
  }
}
