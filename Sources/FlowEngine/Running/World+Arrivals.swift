extension World {
  /// An address that something outside opens, as what it brings to the app; `nil` for one that does not lead there.
  ///
  /// What its query has more than once is left out: RFC 6749, section 3.1, allows each parameter once, and whoever took
  /// the first or the last would let a forger choose.
  package func arrival(_ text: String, in snapshot: Snapshot) -> Location? {
    guard var location = ownLocation(text, in: snapshot) else { return nil }
    let counts = location.query.reduce(into: [:]) { $0[$1.name, default: 0] += 1 }
    location.query.removeAll { counts[$0.name] != 1 }
    return location
  }
}
