import Expressions
import FlowSpec

/// How much a snapshot may come to hold, each row and each mail of it a value with a bound of its own.
enum Bounds {
  static let mostRows = 10_000
  static let largestTable = 16 << 20
  static let mostMails = 10_000

  /// A value that weighs more is looked at with all of its table, as is each so-manieth row.
  static let heavyValue = 4096
  static let rowsBetweenLooks = 256
}

extension Bounds {
  /// Refuses a table that has grown beyond its bounds; `isHeavy` says that something large was set.
  ///
  /// Whether it does depends on nothing but the table and what is set, so that equal snapshots have equal futures.
  static func check(_ table: Value, of place: Place, isHeavy: Bool) throws(Step.Stop) {
    guard case .map(let rows) = table else { return }
    if rows.count > mostRows { throw .failed(.tooManyRows(site: place.site)) }
    guard isHeavy || rows.count.isMultiple(of: rowsBetweenLooks) else { return }
    if table.weighs(more: largestTable) { throw .failed(.tableTooLarge(site: place.site)) }
  }
}
