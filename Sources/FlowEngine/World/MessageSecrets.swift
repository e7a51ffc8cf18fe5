import Expressions
import FlowSpec

/// The names whose values are secret in a service's traffic, by the part of a message that they stand in.
final class SecretNames: Sendable {
  private let query, json, path, form, header, cookie: Names

  init(_ names: [SecretName]) {
    query = Names(names, .query)
    json = Names(names, .json)
    path = Names(names, .path)
    form = Names(names, .form)
    header = Names(names, .header)
    cookie = Names(names, .cookie)
  }

  func contain(_ name: String, _ part: SecretName.Part) -> Bool {
    switch part {
    case .query: query.contain(name)
    case .json: json.contain(name)
    case .path: path.contain(name)
    case .form: form.contain(name)
    case .header: header.contain(name)
    case .cookie: cookie.contain(name)
    }
  }

  var ofJSON: [String] { json.names }

  private struct Names: Sendable {
    let names: [String]
    /// A bit for each length: most names of a message are as long as no secret one.
    private let lengths: UInt64

    init(_ all: [SecretName], _ part: SecretName.Part) {
      names = all.filter { $0.part == nil || $0.part == part }.map(\.name)
      lengths = names.reduce(0) { $0 | Self.lengths(of: $1) }
    }

    /// Of all that is equal to it: some letters beyond ASCII are held equal to one of other length.
    private static func lengths(of name: String) -> UInt64 {
      let isPlain = name.utf8.allSatisfy { $0 < 0x80 && !"K;`".utf8.contains($0) }
      return isPlain ? 1 << UInt64(name.utf8.count & 63) : .max
    }

    func contain(_ name: String) -> Bool {
      guard lengths & (1 << UInt64(name.utf8.count & 63)) != 0 else { return false }
      for index in names.indices where names[index] == name { return true }
      return false
    }
  }
}

/// What is secret by its name in one message.
///
/// A service's traffic is what it is asked and what it asks: the names of both ends count.
struct MessageSecrets {
  private let own: SecretNames?
  private let others: SecretNames?

  init(_ own: SecretNames?, _ others: SecretNames? = nil) {
    self.own = own
    self.others = others === own ? nil : others
  }

  func contain(_ name: String, _ part: SecretName.Part) -> Bool {
    if let own, own.contain(name, part) { return true }
    if let others { return others.contain(name, part) }
    return false
  }

  func mark(_ fields: inout [NamedValue], _ part: SecretName.Part) {
    for index in fields.indices where contain(fields[index].name, part) {
      fields[index].value.mark(secret: fields[index].name)
    }
  }

  /// Marks a request; `authorization` and cookies always are secret.
  func mark(_ request: inout Request.Parts, route: Route?) {
    mark(&request.query, .query)
    for index in request.headers.indices {
      let name = request.headers[index].name
      if name == "authorization" || name == "cookie" || contain(name, .header) {
        request.headers[index].value.mark(secret: name)
      }
    }
    if let bearer = request.bearer, bearer.whole?.secret == nil { request.bearer = bearer.marked(secret: "bearer") }
    for index in request.cookies.indices { request.cookies[index].value.mark(secret: request.cookies[index].name) }
    mark(&request.body)
    guard let route else { return }
    for index in route.variableSegments where index < request.path.count {
      let segment = route.path.segments[index]
      guard let name = segment.variable, contain(name, .path) else { continue }
      request.path[index] = segment.replacing(in: request.path[index]) { $0.marked(secret: name) }
    }
  }

  /// Marks an answer; its cookies always are secret.
  func mark(_ answer: inout Response.Parts) {
    for index in answer.headers.indices {
      let name = answer.headers[index].name
      if name == "set-cookie" || contain(name, .header) { answer.headers[index].value.mark(secret: name) }
    }
    for index in answer.cookies.indices { answer.cookies[index].value.mark(secret: answer.cookies[index].name) }
    switch answer.body {
    case .json(var value):
      guard isNamed(in: value) else { return }
      answer.body = nil
      mark(&value)
      answer.body = .json(value)
    case .form(var fields):
      answer.body = nil
      mark(&fields, .form)
      answer.body = .form(fields)
    case .text(let text): if let value = secretJSON(in: text) { answer.body = .json(value) }
    case .page, nil: break
    }
  }

  private func mark(_ body: inout Request.Body?) {
    switch body {
    case .json(var value):
      guard isNamed(in: value) else { return }
      body = nil
      mark(&value)
      body = .json(value)
    case .form(var fields):
      body = nil
      mark(&fields, .form)
      body = .form(fields)
    case .text(let text): if let value = secretJSON(in: text) { body = .json(value) }
    case nil: break
    }
  }
}

extension MessageSecrets {
  /// A text that is JSON with something secret in it, as what it is; `nil` for any other text.
  private func secretJSON(in text: Text) -> Value? {
    guard let value = Value(jsonText: text.string) else { return nil }
    var marked = value
    if isNamed(in: value) { mark(&marked) }
    let names = (own?.ofJSON ?? []) + (others?.ofJSON ?? [])
    return marked != value || value.hasScalar(under: Set(names)) ? marked : nil
  }

  /// Whether something in it is secret by its name.
  private func isNamed(in json: Value) -> Bool {
    switch json {
    case .list(let elements):
      for index in elements.indices where isNamed(in: elements[index]) { return true }
      return false
    case .map(let map):
      for index in map.entries.indices {
        if isNamed(map.entries[index].key) || isNamed(in: map.entries[index].value) { return true }
      }
      return false
    default: return false
    }
  }

  private func isNamed(_ key: Value) -> Bool {
    if case .string(let name) = key { contain(name.string, .json) } else { contain("", .json) }
  }

  /// In place: what is let go of first is held by nobody else, and not copied to be changed.
  private func mark(_ json: inout Value) {
    switch json {
    case .list(var elements):
      json = .null
      for index in elements.indices { mark(&elements[index]) }
      json = .list(elements)
    case .map(var map):
      json = .null
      for index in map.entries.indices {
        let key = map.entries[index].key
        if isNamed(key) {
          map.changeValue(at: index) { $0.mark(secret: key.text?.string ?? "") }
        } else if map.entries[index].value.hasMembers {
          map.changeValue(at: index) { mark(&$0) }
        }
      }
      json = .map(map)
    default: break
    }
  }
}

extension Value {
  fileprivate var hasMembers: Bool {
    switch self {
    case .list, .map: true
    default: false
    }
  }
}
