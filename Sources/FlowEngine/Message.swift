import Expressions
import FlowSpec

/// What a message carries.
package enum Body: Sendable, Hashable {
  case json(Value)
  case form([NamedValue])
  case text(Text)

  /// The `content-type` that it has, unless its author says another.
  package var type: String {
    switch self {
    case .json: "application/json"
    case .form: "application/x-www-form-urlencoded"
    case .text: "text/plain;charset=utf-8"
    }
  }
}

/// An HTTP request as the world keeps it: structured; text is made for the trace and the wire.
///
/// Once sent it is never changed, only handed on.
@dynamicMemberLookup
package final class Request: Sendable, Hashable {
  /// What it is made of, until it is sent.
  package struct Parts: Sendable, Hashable {
    /// Upper case.
    package var method: String
    /// Index into `Flow.services`.
    package var service: Int
    /// One of the service's `origins`; `nil` where the path stands below its `url`.
    package var origin: Text?
    /// Decoded segments of the path.
    package var path: [Text]
    package var query: [NamedValue] = []
    var wording: Location.Wording?
    /// Names in lower case, `authorization` and `cookie` apart.
    package var headers: [NamedValue] = []
    package var bearer: Text?
    package var cookies: [NamedValue] = []
    package var body: Body?
  }

  package let parts: Parts

  @inline(__always)
  package subscript<Part>(dynamicMember part: KeyPath<Parts, Part>) -> Part { parts[keyPath: part] }

  @inline(__always)
  init(_ parts: consuming Parts) { self.parts = parts }

  package static func == (left: Request, right: Request) -> Bool { left === right || left.parts == right.parts }

  package func hash(into hasher: inout Hasher) { hasher.combine(parts) }
}

/// What came back, or why nothing did.
package enum Answer: Sendable, Hashable {
  case response(Response)
  case failure(Failure, reason: String?)

  package enum Failure: String, Sendable, Hashable {
    /// Nothing was sent.
    case unreachable
    /// It was sent and no answer came: the server may have acted.
    case lost

    /// Why an answer is lost that does not come before the time-out.
    static let late = "no answer in time"
  }
}

/// An HTTP answer as the world keeps it; once given it is never changed.
@dynamicMemberLookup
package final class Response: Sendable, Hashable {
  /// What it is made of, until it is given.
  package struct Parts: Sendable, Hashable {
    package var status: Int
    /// Names in lower case.
    package var headers: [NamedValue] = []
    /// `null` deletes one.
    package var cookies: [NamedValue] = []
    package var body: Body?
    /// What a real one set as cookies, which nobody keeps: secret where it says the same elsewhere.
    var droppedCookies: [Text] = []
    /// Whether the body was no UTF-8 when it came, and so is no JSON (RFC 8259, section 8.1).
    var isMended = false
    /// What a browser shows; there is no other body then.
    package var page: ShownPage?
    package var location: Location?
    /// The `location` header, where it is written otherwise than the address that it means.
    var writtenLocation: Text?
  }

  package let parts: Parts

  @inline(__always)
  package subscript<Part>(dynamicMember part: KeyPath<Parts, Part>) -> Part { parts[keyPath: part] }

  @inline(__always)
  init(_ parts: consuming Parts) { self.parts = parts }

  /// A response as it came over the wire; a body that is no UTF-8 is mended with U+FFFD.
  ///
  /// Cookies are for a browser: no answer of a model shows those that it sets either.
  package convenience init(status: Int, headers: [(name: String, value: String)], body: [UInt8]) {
    let valid = String(validating: body, as: UTF8.self)
    let named = headers.map { (name: $0.name.lowercased(), value: $0.value) }
    self.init(
      Parts(
        status: status,
        headers: named.filter { $0.name != "set-cookie" }.map { NamedValue(name: $0.name, value: .string($0.value)) },
        body: body.isEmpty ? nil : .text(Text(valid ?? String(decoding: body, as: UTF8.self))),
        droppedCookies: named.filter { $0.name == "set-cookie" }.compactMap { Self.cookie($0.value) },
        isMended: valid == nil))
  }

  /// The value of a cookie that a header sets (RFC 6265 §4.1.1); `nil` where it has none.
  ///
  /// Its name is what a peer says, and gives no alias.
  private static func cookie(_ header: String) -> Text? {
    let pair = header.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard pair.count == 2 else { return nil }
    let value = pair[1].drop { " \"".contains($0) }
    return Text(String(value.prefix { !" \"".contains($0) })).marked(secret: "cookie")
  }

  package static func == (left: Response, right: Response) -> Bool { left === right || left.parts == right.parts }

  package func hash(into hasher: inout Hasher) { hasher.combine(parts) }
}

/// An absolute address, taken apart.
package struct Location: Sendable, Hashable {
  package enum Base: Sendable, Hashable {
    case service(Int)
    /// Scheme, authority and whatever stands before the path; of no service: `com.example:`, `https://x.example`.
    case elsewhere(Text)
  }
  package var base: Base
  /// One of the service's `origins`; `nil` where the path stands below its `url`.
  package var origin: Text?
  package var path: [Text]
  package var query: [NamedValue]
  /// How a live service is asked for it; `nil` where that is put together from the parts.
  var wording: Wording?
  /// What only a browser reads, and no server is sent (RFC 3986 §3.5); `nil` for none.
  var fragment: Text?
  /// Whether its path begins without a slash.
  var isRootless = false

  /// A whole address behind its origin, as whoever gave it wrote it.
  ///
  /// A server may tell apart what means the same here: `%3B` and `;` (RFC 3986 §2.2), a field without a value and one
  /// that is empty, bytes that are no UTF-8; and it may have signed what it gave.
  struct Wording: Sendable, Hashable {
    /// Path and query, with no mark of what is secret by its name.
    let text: Text
    /// How many fields of the query are in it, the first.
    let fields: Int
  }
}

extension Location {
  /// Its origin where that is of no service.
  var elsewhere: Text? { if case .elsewhere(let origin) = base { origin } else { nil } }

  /// Where a request goes.
  package init(of request: Request) {
    self.init(
      base: .service(request.service), origin: request.origin, path: request.path, query: request.query,
      wording: request.wording)
  }
}

/// A page as a person sees it, with its targets resolved.
package final class ShownPage: Sendable, Hashable {
  package struct Form: Sendable, Hashable {
    /// As the model has it; within a page its name tells it from others.
    let written: Page.Form
    package let target: Location
    package let examples: [Value?]
    package var name: String { written.name }
    package var title: String? { written.title }
    package var fields: ObjectType { written.fields }

    package static func == (left: Form, right: Form) -> Bool {
      left.name == right.name && left.target == right.target && left.examples == right.examples
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }
  package struct Link: Sendable, Hashable {
    package let name: String
    package let title: String?
    package let target: Location
    package let refs: [String]
  }
  /// Which page of which service; equal for the same page shown again.
  package let service: Int
  package let key: Int
  package let title: Text
  package let text: Text?
  package let forms: [Form]
  package let links: [Link]
  package let refs: [String]

  init(service: Int, key: Int, title: Text, text: Text?, forms: [Form], links: [Link], refs: [String]) {
    (self.service, self.key, self.title, self.text) = (service, key, title, text)
    (self.forms, self.links, self.refs) = (forms, links, refs)
  }

  package static func == (left: ShownPage, right: ShownPage) -> Bool {
    left === right
      || (left.service == right.service && left.key == right.key && left.title == right.title
        && left.text == right.text && left.forms == right.forms && left.links == right.links)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(service)
    hasher.combine(key)
  }
}
