import Expressions

package final class Event: Sendable {
  package enum Kind: Sendable, Hashable {
    /// `user.choosesSocial`: an event of a participant of kind person.
    case person
    case browserRedirected, browserClosed
    case deviceOnline, deviceOffline
    /// `link.welcome`
    case link
  }
  /// In full: `user.choosesSocial`.
  package let name: String
  package let title: String?
  package let kind: Kind
  package let fields: ObjectType
  /// The names of those fields whose values are secret.
  package let secretNames: Names
  /// In field order, what an automatic run uses; `nil` where the field has none.
  package let examples: [ValueTemplate?]
  package let refs: [String]
  /// Where it is declared, or first named.
  package let site: Site

  init(
    name: String, title: String?, kind: Kind, fields: ObjectType, examples: [ValueTemplate?], refs: [String], site: Site
  ) {
    (self.name, self.title, self.kind, self.fields) = (name, title, kind, fields)
    secretNames = Names(fields.fields.compactMap(\.secret))
    (self.examples, self.refs, self.site) = (examples, refs, site)
  }
}
