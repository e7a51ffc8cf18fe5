/// How much a snapshot may come to hold besides rows, each row and each mail of it a value with a bound of its own.
enum Bounds {
  static let largestTable = 16 << 20
  static let mostMails = 10_000

  /// A value that weighs more is looked at with all of its table, as is each so-manieth row.
  static let heavyValue = 4096
  static let rowsBetweenLooks = 256
}
