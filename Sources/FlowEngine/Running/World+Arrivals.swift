import Expressions
import FlowSpec

extension World {
  /// An address that something outside opens, as what it brings to the app; `nil` for one that does not lead there.
  ///
  /// Where the app reads something that stands in its query twice, nothing of the query counts (RFC 6749, section 3.1).
  /// Were that one alone left out, as of what a simulated server says, a forger could take away what is held against
  /// something only where it is given, such as `iss` and `error`.
  package func arrival(_ text: String, in snapshot: Snapshot) -> Location? {
    guard var location = ownLocation(text, in: snapshot) else { return nil }
    let read = flow.app.events.filter { [.browserRedirected, .link].contains($0.kind) }.flatMap(\.fields.fields)
    if read.contains(where: { field in location.query.count { $0.name == field.name } > 1 }) { location.query = [] }
    return location
  }
}
