extension Function {
  /// `isInt(x)` and its like: whether `int(x)` gives something, x being there.
  static let conversionTests: [Function] = typeConversions.compactMap { conversion in
    guard case .make(let convert) = conversion.work else { return nil }
    let name = "is" + conversion.name.prefix(1).uppercased() + String(conversion.name.dropFirst())
    let traits = Traits(asksOnly: true, showsText: conversion.traits.showsText)
    return Function(name, [.any], .bool, traits, .askConversion(convert))
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
