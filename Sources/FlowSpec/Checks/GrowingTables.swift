extension Check {
  /// Tables that expressions go through and that only grow: no two moments of such a world are alike.
  ///
  /// Of a table that nothing goes through, rows that nobody can name any more are dropped when snapshots are compared.
  static let growingTables: @Sendable (Examined) -> [Diagnostic] = { examined in
    let actions = examined.actions
    return examined.machine.traversed.sorted().compactMap { key in
      let table = examined.machine.store[key]
      guard table.isTable, actions.contains(where: { $0.makesRows(of: key) }),
        !actions.contains(where: { $0.removesRows(of: key) })
      else { return nil }
      return Diagnostic(
        "growing-table", severity: .remark,
        "\"\(table.name)\" is counted or gone through and never gets smaller: exploring may not come to an end",
        at: table.site, "no \"clear\" takes a row away",
        help: "clear rows that are done with, or look rows up by their key")
    }
  }
}

extension Action {
  fileprivate func makesRows(of key: Int) -> Bool {
    assignments.contains { $0.place.area == .store && $0.place.key == key && $0.place.row != nil }
  }

  /// A `clear` of a row or of the table, or a `set` of the whole table.
  fileprivate func removesRows(of key: Int) -> Bool {
    cleared.contains { $0.area == .store && $0.key == key && $0.field == nil }
      || assignments.contains { $0.place.area == .store && $0.place.key == key && $0.place.row == nil }
  }
}
