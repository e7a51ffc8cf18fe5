import Expressions

/// Something done at an instant, without time passing.
package final class Action: Sendable {
  package enum Kind: Sendable {
    case set([Assignment])
    case clear([Place])
    /// Index into `Machine.emits`, values in field order.
    case emit(Int, [FieldValue])
    case show(screen: String, [FieldValue])
    case open(PageTarget)
    case close
    case send(MailSpec)
  }
  package let kind: Kind
  /// What it sets, and what it clears: taken out of its kind, since most actions do one of them.
  package let assignments: [Assignment]
  package let cleared: [Place]
  /// Whether one of the places that it clears is kept when the app is not running, or of a table.
  package let clearsStore: Bool
  package let clearsTables: Bool
  package let refs: [String]
  /// Whether it is drawn as an arrow without a ref of its own, and so carries that of what it stands on.
  package let carriesRefs: Bool
  /// The whole of it, but of `show` the name of its screen.
  let site: Site

  init(kind: Kind, refs: [String], site: Site) {
    self.kind = kind
    if case .set(let assignments) = kind { self.assignments = assignments } else { assignments = [] }
    if case .clear(let places) = kind { cleared = places } else { cleared = [] }
    clearsStore = cleared.contains(where: \.isDurable)
    clearsTables = cleared.contains(where: \.isOfTable)
    (self.refs, self.site) = (refs, site)
    carriesRefs =
      switch kind {
      case .emit, .show, .open, .close, .send: refs.isEmpty
      case .set, .clear: false
      }
  }
}

/// What is given under a name.
package struct FieldValue: Sendable {
  /// The name, as maps have it.
  package let key: Value
  package let value: ValueTemplate
  /// What is declared of it, which its value has to fit and by which it is secret; `nil` where nothing is.
  package let declared: ObjectType.Field?
  package var name: String { key.text?.string ?? "" }

  init(name: String, value: ValueTemplate, declared: ObjectType.Field? = nil) {
    key = .string(name)
    (self.value, self.declared) = (value, declared)
  }
}

package final class Assignment: Sendable {
  package let place: Place
  package let value: ValueTemplate
  /// The members of a row that is written out, and which field of the row each is; none of any other value.
  package let members: [(field: Int, value: ValueTemplate)]
  package let site: Site

  init(place: Place, value: ValueTemplate, site: Site) {
    (self.place, self.value, self.site) = (place, value, site)
    let written = if place.isWholeRow, case .object(let members) = value { members } else { [] as [FieldValue] }
    members = written.compactMap { member in
      place.declared.rowKeepings.firstIndex { $0.field.name == member.name }.map { ($0, member.value) }
    }
  }
}

/// What `set` and `clear` name: `token`, `users[request.path.id]`, `users[request.path.id].status`.
package final class Place: Sendable {
  package enum Area: String, Sendable, Hashable {
    case store, memory

    var root: Root { self == .store ? .store : .memory }
  }
  package enum RowKey: Sendable {
    case expression(PlacedExpression)
    /// In scenarios, where rows are named by the members of an object.
    case template(PlacedTemplate)
  }
  package let area: Area
  /// Index into `Frame.roots`.
  package let root: Int
  /// Whether it is kept when the app is not running.
  package let isDurable: Bool
  /// Index into `Machine.store` or `Machine.memory`.
  package let key: Int
  package let declared: Key
  package let row: RowKey?
  /// Index into the row's fields.
  package let field: Int?
  /// What it holds: the type of the key, of a row, or of the field.
  package let type: ValueType
  /// How it keeps what is set; of a whole row each field says that for itself.
  package let keeping: Keeping
  /// Refs of the key, drawn as a note where it is set or cleared.
  package let refs: [String]
  package let site: Site

  init(_ declared: Key, area: Area, key: Int, row: RowKey?, field: Int?, site: Site) {
    self.area = area
    isDurable = area == .store
    root = area.root.rawValue
    (self.key, self.declared) = (key, declared)
    isOfTable = declared.isTable
    nameOfValue = isOfTable ? nil : "\(area.rawValue).\(declared.name)"
    (self.row, self.field) = (row, field)
    keeping = field.map { declared.rowKeepings[$0] } ?? declared.keeping
    isWholeRow = row != nil && field == nil
    if isWholeRow, let rowType = declared.rowType { type = .object(rowType) } else { type = keeping.field.type }
    holdsSecrets = (!isWholeRow && keeping.field.secret != nil) || type.secretInside != nil
    refs = declared.refs
    self.site = site
  }

  /// Whether it is secret, or a field in it is.
  package let holdsSecrets: Bool

  /// Whether it is a table, a row of one, or a field in it.
  package let isOfTable: Bool

  /// As expressions name the key; `nil` for what is of a table.
  let nameOfValue: String?

  /// Whether it is a row with all of its fields.
  package let isWholeRow: Bool
}

package final class RequestSpec: Sendable {
  package let to: Destination
  package let method: String
  package let path: PathTemplate
  /// The segments of the path, where all of them are text.
  package let literalPath: [Text]?
  package let query: [FieldValue]
  /// Names in lower case.
  package let headers: [FieldValue]
  package let bearer: PlacedTemplate?
  package let body: Body?
  /// For each try.
  package let timeout: Duration
  package let retry: Retry?
  package let site: Site

  init(
    to: Destination, method: String, path: PathTemplate, query: [FieldValue], headers: [FieldValue],
    bearer: PlacedTemplate?, body: Body?, timeout: Duration, retry: Retry?, site: Site
  ) {
    (self.to, self.method, self.path) = (to, method, path)
    literalPath = path.literal
    (self.query, self.headers, self.bearer, self.body) = (query, headers, bearer, body)
    (self.timeout, self.retry, self.site) = (timeout, retry, site)
  }

  package enum Body: Sendable {
    case json(ValueTemplate)
    case form([FieldValue])
    case text(PlacedTemplate)
  }
}

/// Index into `Flow.services`.
package typealias Destination = Int

package enum PathTemplate: Sendable {
  /// Each segment is what stands between two slashes; an empty list is `/`.
  case segments([PlacedTemplate])
  /// A whole URL, then segments behind it.
  case url(PlacedTemplate)

  /// The segments, where all of them are text that may surely be sent.
  fileprivate var literal: [Text]? {
    guard case .segments(let templates) = self else { return nil }
    let texts = templates.compactMap(\.literal?.text)
    return texts.count == templates.count ? texts : nil
  }
}

package struct Retry: Sendable {
  package let when: Condition?
  package let most: Int
  package let wait: Duration
  package let factor: Double
  package let actions: [Action]
  /// Index into `Machine.routines`.
  package let call: Int?
  package let refs: [String]
}

package struct PerformSpec: Sendable {
  /// Index into `Flow.capabilities`.
  package let capability: Int
  package let input: [FieldValue]
}

/// A page to load in the browser: by `open`, a form, a link of a page, a redirect.
package final class PageTarget: Sendable {
  package enum Address: Sendable {
    /// Path and query at a service; `nil` for the service whose page it is.
    case service(Destination?, PathTemplate)
    /// A whole URI, as in a redirect to `request.query.redirect_uri`.
    case uri(PlacedTemplate)
  }
  package let address: Address
  /// The segments of the path, where all of them are text.
  package let literalPath: [Text]?
  package let query: [FieldValue]
  package let site: Site

  init(address: Address, query: [FieldValue], site: Site) {
    self.address = address
    literalPath = if case .service(_, let path) = address { path.literal } else { nil }
    (self.query, self.site) = (query, site)
  }
}

package struct MailSpec: Sendable {
  package let name: String
  /// The address, `nil` when the model does not say.
  package let to: PlacedTemplate?
  package let subject: PlacedTemplate?
  package let text: PlacedTemplate?
  package let links: [(name: String, uri: PlacedTemplate)]
  package let site: Site
}

extension Place {
  /// As expressions refer to the key: `["store", "token"]`.
  var reference: [String] { [area.rawValue, declared.name] }
}
