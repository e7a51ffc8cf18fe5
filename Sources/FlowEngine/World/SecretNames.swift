import Expressions
import FlowSpec

/// What is secret by its name in one message.
///
/// A service's traffic is what it is asked and what it asks: the names of both ends count.
final class SecretNames: Sendable {
  let query, path: Names
  private let json, form, sentHeaders, answeredHeaders: Names

  private let all: [SecretName]
  private let said: [(text: String, name: String)]

  init(_ all: [SecretName], said: [(text: String, name: String)] = []) {
    (self.all, self.said) = (all, said)
    let inTexts = all.filter { [nil, .query, .json, .form].contains($0.part) }.map(\.name)
    func names(of part: SecretName.Part, and others: [String] = []) -> Names {
      Names(others + all.compactMap { $0.name(in: part) }, inTexts: inTexts, secrets: said)
    }
    query = names(of: .query)
    json = names(of: .json)
    path = names(of: .path)
    form = names(of: .form)
    sentHeaders = names(of: .header, and: ["authorization", "cookie"])
    answeredHeaders = names(of: .header, and: ["set-cookie"])
  }

  /// The same for the answer of a real peer, which may say back what is secret in a request: its marks are lost there.
  func afterAsking(_ request: Request) -> SecretNames { SecretNames(all, said: request.longSecrets) }

  /// The same for that answer, marked once, which may say in another place what it calls secret in one.
  ///
  /// A peer decides how much that is: the longest count, as tokens are among them.
  func afterHearing(_ answer: Response.Parts) -> SecretNames {
    let secrets = answer.longSecrets.sorted { $0.text.utf8.count > $1.text.utf8.count }.prefix(Self.mostHeard)
    return secrets.isEmpty ? self : SecretNames(all, said: said + secrets)
  }

  private static let mostHeard = 32

  /// Marks a request; `authorization` always is secret.
  ///
  /// Cookies are so already: a reply that sets them marks them.
  func mark(_ request: inout Request.Parts, route: Route?) {
    request.query.mark(under: query)
    request.headers.mark(under: sentHeaders)
    if let bearer = request.bearer, !bearer.isWhollySecret { request.bearer = bearer.marked(secret: "bearer") }
    mark(&request.body)
    if let route { mark(&request.path, of: route) }
  }

  /// Marks what a route has in a path under a secret name.
  func mark(_ segments: inout [Text], of route: Route) {
    for variable in route.variables where variable.index < segments.count && path.index(of: variable.name) != nil {
      mark(&segments[variable.index], as: variable, of: route)
    }
  }

  /// Whether an answer does not show where it leads.
  var hidesLocation: Bool { answeredHeaders.index(of: "location") != nil }

  /// A text that a person reads, with what it names itself marked under the names of JSON.
  func marked(_ text: Text) -> Text { text.marked(under: json) }

  // Kept apart: a path that others hold too would be copied before it is known whether it changes.
  @inline(never)
  private func mark(_ text: inout Text, as variable: Route.Variable, of route: Route) {
    text = route.path.segments[variable.index].replacing(in: text) { $0.marked(secret: variable.name) }
  }

  /// Marks the fields of a form, which a body carries, or with GET the query.
  func mark(_ fields: inout [NamedValue], inQuery: Bool) { fields.mark(under: inQuery ? query : form) }

  /// Marks an answer.
  func mark(_ answer: inout Response.Parts) {
    answer.headers.mark(under: answeredHeaders)
    mark(&answer.body)
  }

  /// JSON with what is secret in it by its name marked.
  func marked(_ value: Value) -> Value {
    var value = value
    value.markMembers(under: json)
    return value
  }

  /// Whether what a member of JSON is called says that it is secret.
  func hides(member key: Value) -> Bool { json.contain(key) }

  private func mark(_ body: inout Body?) {
    // What is taken out of a message is held by nobody else, and so changed where it stands.
    switch body.take() {
    case .json(var value):
      value.markMembers(under: json)
      body = .json(value)
    case .form(var fields):
      fields.mark(under: form)
      body = .form(fields)
    case .text(let text): body = secretJSON(in: text).map { .json($0) } ?? .text(hidden(text))
    case nil: break
    }
  }

  /// From end to end where it names a secret: nobody knows its grammar.
  private func hidden(_ text: Text) -> Text { names(text) ? text.marked(secret: "text") : text }

  private func names(_ text: Text) -> Bool { text.marked(under: json) != text }

  /// A text that is JSON and has something in it that is secret by its name, or seems to, as what it is; `nil` for any
  /// other text.
  ///
  /// Where a mark of the text itself lies in it cannot be told behind the escapes, so all of its other strings get it.
  private func secretJSON(in text: Text) -> Value? {
    guard let value = Value(unmarkedJSON: text) else { return nil }
    var marked = value
    marked.markMembers(under: json)
    // Of what a name in it names nothing is marked.
    guard marked != value || value.hasScalar(under: json) || names(text) && !value.hasName(where: names) else {
      return nil
    }
    return text.firstSecret.map { marked.marked(secret: $0) } ?? marked
  }
}

extension Request {
  fileprivate var longSecrets: [(text: String, name: String)] {
    let texts = parts.path + [parts.bearer].compactMap(\.self)
    let values = (parts.query + parts.headers + parts.cookies).map(\.value) + texts.map { .string($0) }
    return (values + (parts.body?.values ?? [])).longSecrets
  }
}

extension Response.Parts {
  fileprivate var longSecrets: [(text: String, name: String)] {
    let fields = headers + cookies + (location?.query ?? [])
    let texts = (location?.path ?? []) + droppedCookies.map { $0.marked(secret: "cookie") }
    return (fields.map(\.value) + (body?.values ?? []) + texts.map { .string($0) }).longSecrets
  }
}

extension Body {
  fileprivate var values: [Value] {
    switch self {
    case .json(let value): [value]
    case .form(let fields): fields.map(\.value)
    case .text(let text): [.string(text)]
    }
  }
}

extension [Value] {
  /// What is secret in them, and so long that it is no chance where it stands elsewhere.
  fileprivate var longSecrets: [(text: String, name: String)] {
    Value.list(self).secretTexts.filter { $0.text.utf8.count >= AliasTable.unguessableLength }
  }
}

extension Answer {
  /// All of it that may be secret in part, with its marks; a text that is no JSON is so as a whole or not at all.
  var said: Value {
    guard case .response(let response) = self else { return .null }
    let json: [Value] = if case .json(let value)? = response.body { [value] } else { [] }
    let location = response.location
    let fields = response.headers + response.cookies + (location?.query ?? [])
    let texts = (location?.path ?? []) + [location?.elsewhere].compactMap(\.self)
    return .list(json + fields.map(\.value) + (texts + response.droppedCookies).map { .string($0) })
  }
}
