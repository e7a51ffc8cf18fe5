import Expressions
import FlowSpec

extension Flow {
  /// The first secret that an address brings to the app, which is written as a step `arrive` has it: a field of
  /// `browser.redirected`, or a variable of a link; `nil` for none.
  package func secretBrought(by written: String) -> String? {
    func secrets(of event: Int?) -> [String] {
      event.map { app.events[$0].fields.fields.filter { $0.secret != nil }.map(\.name) } ?? []
    }
    let fields = secrets(of: app.redirected)
    // What an expression makes of it only the run knows.
    if written.contains("${") { return (fields + links.flatMap { secrets(of: $0.event) }).first }
    guard let address = Address(Text(written)) else { return nil }
    if let field = fields.first(where: { address.query.index(named: $0) != nil }) { return field }
    return links.lazy
      .filter { Address(Text($0.origin))?.isOfOrigin(address.origin) == true && $0.segments.matches(address.path) }
      .compactMap { secrets(of: $0.event).first }.first
  }
}
