import Expressions

/// How a row of a table is named where it is read, set or cleared: alike names are of one row, other constants of
/// others.
struct RowName: Hashable {
  /// As it is written, with what lets of a selection are; without the marks of what may be absent.
  private let text: String
  /// Whether it is a text that is written out.
  let isConstant: Bool

  private init(_ written: String) {
    let part = MemberPath("[\(written)]", below: "")?.parts.first
    (text, isConstant) =
      if case .member(let name)? = part { ("'\(name)'", true) } else { (written.withoutOptionals, false) }
  }

  init(_ key: Expression) { self.init(key.selection ?? key.source) }

  /// Of the table that has these declared names, from the name of a reading: `who` of `store.profiles[?who].?refresh`;
  /// `nil` where it reads no row.
  fileprivate init?(_ reading: String, of table: String) {
    let name = reading.withoutOptionals
    guard name.hasPrefix("\(table)[") else { return nil }
    var depth = 1
    let key = name.dropFirst(table.count + 1).prefix { sign in
      if sign == "[" { depth += 1 }
      if sign == "]" { depth -= 1 }
      return depth > 0
    }
    self.init(String(key))
  }

  /// Whether both are constants, and not the same.
  func isSurelyOther(than other: RowName?) -> Bool {
    isConstant && other.map { $0.isConstant && $0 != self } ?? false
  }
}

extension Machine {
  /// That of the row from which an expression takes a secret as it is; `nil` for a key.
  func row(of secret: StoredSecret, in expression: Expression) -> RowName? {
    expression.selection.flatMap { RowName($0, of: "store.\(store[secret.key].name)") }
  }

  /// Those of the rows of which a request sends a secret.
  fileprivate func rows(of secret: StoredSecret, in sent: [Expression]) -> [RowName] {
    sent.flatMap(\.readings).compactMap { RowName($0.name, of: "store.\(store[secret.key].name)") }
  }
}

extension Place {
  /// Whether it names a row alike, or is no row.
  func isAlike(_ row: RowName?) -> Bool { rowName.map { $0 == row } ?? true }

  /// The keys that name its row, as `Condition.keys` has them.
  var keysOfRow: Set<[String]> {
    guard case .expression(let key) = row else { return [] }
    return Set(
      key.expression.facts.references.filter { ["store", "memory"].contains($0[0]) }.map { Array($0.prefix(2)) })
  }

  /// `nil` for a key, and a table as a whole.
  var rowName: RowName? {
    if case .expression(let key) = row { RowName(key.expression) } else { nil }
  }
}

extension [Action] {
  /// Whether they clear a secret in rows alone that are others than those from which it is sent: another constant, or
  /// one of whose names nothing stands in the name of one from which it is sent.
  ///
  /// So where a row that was to become a new one is taken away.
  func emptyOtherRows(of secret: StoredSecret, than request: RequestSpec, in machine: Machine) -> Bool {
    let path = machine.path(of: secret)
    let reading = request.sent.filter { $0.reads(path) }
    let sent = reading.flatMap(\.facts.references).filter { $0 != path }
    let rows = machine.rows(of: secret, in: reading)
    let emptying = flatMap(\.assignments).filter { assignment in
      assignment.secretsSet.contains { $0.secret == secret && $0.value.isNothing }
    }
    let places = flatMap(\.cleared).filter { $0.secrets.contains(secret) } + emptying.map(\.place)
    return !rows.isEmpty && !places.isEmpty
      && places.allSatisfy { place in
        guard case .expression(let key) = place.row, !rows.contains(RowName(key.expression)) else { return false }
        return named(in: key.expression).allSatisfy { !sent.contains($0) }
      }
  }

  /// What the name of a row is made of, also where it is put aside first, as by who clears what names the row as well.
  private func named(in key: Expression) -> [[String]] {
    let set = flatMap(\.assignments).filter { key.facts.references.contains($0.place.reference) }
    return key.facts.references + set.flatMap(\.value.expressions).flatMap(\.facts.references)
  }
}
