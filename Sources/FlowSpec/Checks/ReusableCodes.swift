import Expressions

extension Check {
  /// Tables of a service whose rows are looked up by the code that a request redeems, and that nothing takes out or marks:
  /// a code is good as often as it comes, and tests pass for an app that sends it twice (RFC 6749, section 4.1.2).
  static let reusableCodes: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model != nil else { return [] }
    let machine = examined.machine
    let tables = machine.store.indices.filter { machine.store[$0].isTable }
    if tables.isEmpty { return [] }
    let sources = examined.expressions.map(\.expression.source) + machine.lets.values.map(\.source)
    let codes = examined.namesOfCodes
    let looks = sources.filter { source in codes.contains { source.contains("[\($0)]") || source.contains("[?\($0)]") }
    }
    if looks.isEmpty { return [] }
    let actions = examined.actions
    return tables.compactMap { number in
      let key = machine.store[number]
      let isLookedUp = codes.contains { code in
        looks.contains { $0.contains("store.\(key.name)[\(code)]") || $0.contains("store.\(key.name)[?\(code)]") }
      }
      guard isLookedUp, !actions.contains(where: { $0.changesRows(of: number, by: codes) }) else { return nil }
      return Diagnostic(
        "reusable-code", severity: .warning,
        "a code of \"\(key.name)\" is good as often as it comes: nothing clears or marks it", at: key.site,
        "is looked up by the code of a request",
        help: "clear the row, or set a field of it, where the code is redeemed (RFC 6749, section 4.1.2)")
    }
  }
}

extension Examined {
  /// How expressions name the code that a request brings: as it is, and by lets that are no more than that.
  fileprivate var namesOfCodes: [String] {
    let written = ["request.form.code", "request.form.?code", "request.json.code", "request.json.?code"]
    let named = machine.lets.keys.sorted().filter { name in
      written.contains { machine.lets[name]?.source.isSelection($0) == true }
    }
    return written + named
  }
}

extension String {
  /// Whether it is a selection, or that with a value for where nothing is.
  fileprivate func isSelection(_ selection: String) -> Bool {
    self == selection || self == "string(\(selection))" || hasPrefix("\(selection).orValue(")
  }
}

extension Action {
  /// Whether it takes rows out of a table of the store, or sets a field of them, or a whole row by a code.
  fileprivate func changesRows(of key: Int, by codes: [String]) -> Bool {
    cleared.contains { $0.area == .store && $0.key == key }
      || assignments.contains { assignment in
        guard assignment.place.area == .store, assignment.place.key == key else { return false }
        guard assignment.place.isWholeRow, case .expression(let row) = assignment.place.row else { return true }
        return codes.contains(row.expression.source)
      }
  }
}
