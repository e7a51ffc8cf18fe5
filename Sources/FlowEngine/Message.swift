import Expressions
import FlowSpec

/// An HTTP request as the world keeps it: structured; text is made for the trace and the wire.
package struct Request: Sendable, Hashable {
  package enum Body: Sendable, Hashable {
    case json(Value)
    case form([NamedValue])
    case text(Text)
  }
  /// Upper case.
  package var method: String
  /// Index into `Flow.services`.
  package var service: Int
  /// One of the service's `origins`; `nil` where the path stands below its `url`.
  package var origin: Text?
  /// Decoded segments of the path.
  package var path: [Text]
  package var query: [NamedValue]
  /// Names in lower case, `authorization` and `cookie` apart.
  package var headers: [NamedValue]
  package var bearer: Text?
  package var cookies: [NamedValue]
  package var body: Body?
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

package struct Response: Sendable, Hashable {
  package enum Body: Sendable, Hashable {
    case json(Value)
    case form([NamedValue])
    case text(Text)
    case page(ShownPage)
  }
  package var status: Int
  /// Names in lower case.
  package var headers: [NamedValue]
  /// `null` deletes one.
  package var cookies: [NamedValue]
  package var body: Body?
  package var location: Location?
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
}

extension Location {
  /// Where a request goes.
  init(of request: Request) {
    self.init(base: .service(request.service), origin: request.origin, path: request.path, query: request.query)
  }
}

/// A page as a person sees it, with its targets resolved.
package struct ShownPage: Sendable, Hashable {
  package struct Form: Sendable, Hashable {
    package var name: String
    package var title: String?
    package var method: String
    package var target: Location
    package var fields: ObjectType
    package var examples: [Value?]
    package var refs: [String]
  }
  package struct Link: Sendable, Hashable {
    package var name: String
    package var title: String?
    package var target: Location
    package var refs: [String]
  }
  /// Which page of which service; equal for the same page shown again.
  package var service: Int
  package var key: Int
  package var title: Text
  package var text: Text?
  package var forms: [Form]
  package var links: [Link]
  package var refs: [String]
}
