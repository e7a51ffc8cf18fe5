import Expressions
import FlowSpec

/// What is secret by its name in one message.
///
/// A service's traffic is what it is asked and what it asks: the names of both ends count.
final class SecretNames: Sendable {
  let query, path: Names
  private let json, form, sentHeaders, answeredHeaders: Names

  init(_ all: [SecretName]) {
    func names(of part: SecretName.Part, and others: [String] = []) -> Names {
      var names = others
      for secret in all where secret.part == nil || secret.part == part { names.append(secret.name) }
      return Names(names)
    }
    query = names(of: .query)
    json = names(of: .json)
    path = names(of: .path)
    form = names(of: .form)
    sentHeaders = names(of: .header, and: ["authorization", "cookie"])
    answeredHeaders = names(of: .header, and: ["set-cookie"])
  }

  /// Marks a request; `authorization` and cookies always are secret.
  func mark(_ request: inout Request.Parts, route: Route?) {
    request.query.mark(under: query)
    request.headers.mark(under: sentHeaders)
    if let bearer = request.bearer, !bearer.isWhollySecret { request.bearer = bearer.marked(secret: "bearer") }
    markAll(&request.cookies)
    switch request.body {
    case .json(var value):
      request.body = nil
      value.markMembers(under: json)
      request.body = .json(value)
    case .form(var fields):
      request.body = nil
      fields.mark(under: form)
      request.body = .form(fields)
    case .text(let text): if let value = secretJSON(in: text) { request.body = .json(value) }
    case nil: break
    }
    guard let route else { return }
    for index in route.variableSegments where index < request.path.count {
      let segment = route.path.segments[index]
      guard let name = segment.variable, path.index(of: name) != nil else { continue }
      request.path[index] = segment.replacing(in: request.path[index]) { $0.marked(secret: name) }
    }
  }

  /// Marks an answer; its cookies always are secret.
  func mark(_ answer: inout Response.Parts) {
    answer.headers.mark(under: answeredHeaders)
    markAll(&answer.cookies)
    switch answer.body {
    case .json(var value):
      answer.body = nil
      value.markMembers(under: json)
      answer.body = .json(value)
    case .form(var fields):
      answer.body = nil
      fields.mark(under: form)
      answer.body = .form(fields)
    case .text(let text): if let value = secretJSON(in: text) { answer.body = .json(value) }
    case .page, nil: break
    }
  }

  private func markAll(_ fields: inout [NamedValue]) {
    for index in fields.indices { fields[index].markValue() }
  }

  /// A text that is JSON with something secret in it, as what it is; `nil` for any other text.
  private func secretJSON(in text: Text) -> Value? {
    guard let value = Value(jsonText: text.string) else { return nil }
    var marked = value
    marked.markMembers(under: json)
    return marked != value || value.hasScalar(under: Set(json.all)) ? marked : nil
  }
}
