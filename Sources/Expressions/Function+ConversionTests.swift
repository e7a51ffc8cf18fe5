extension Function {
  /// `isInt(x)` and its like: whether `int(x)` gives something, x being there.
  static let conversionTests: [Function] = conversions.filter { !["dyn", "seconds"].contains($0.name) }.map {
    conversion in
    let name = "is" + conversion.name.prefix(1).uppercased() + conversion.name.dropFirst()
    return Function(name, [.any], .bool) { arguments, range throws(EvaluationError) in
      do throws(EvaluationError) {
        _ = try conversion.body([arguments[0].unwrapped], range)
        return .bool(true)
      } catch {
        // Of what is made in the run nothing may be found out.
        if error.code == "looks-into-fresh" { throw error }
        return .bool(false)
      }
    }
  }
}
