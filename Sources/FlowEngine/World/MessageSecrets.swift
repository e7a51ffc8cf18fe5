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
    /// Of each name, as bits of what is equal to it, and of all: most names of a message are as long as no secret one.
    private let lengths: [UInt64]
    private let all: UInt64

    init(_ names: [SecretName], _ part: SecretName.Part) {
      self.names = names.filter { $0.part == nil || $0.part == part }.map(\.name)
      lengths = self.names.map { $0.isEqualToItselfAlone ? Self.length(of: $0) : .max }
      all = lengths.reduce(0, |)
    }

    private static func length(of name: String) -> UInt64 { 1 << UInt64(name.utf8.count & 63) }

    func contain(_ name: String) -> Bool {
      let length = Self.length(of: name)
      guard all & length != 0 else { return false }
      for index in lengths.indices where lengths[index] & length != 0 && names[index] == name { return true }
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
    // Looked for first: what others hold too would be copied wherever it might be changed.
    guard let first = fields.firstIndex(where: { needsMark($0, part) }) else { return }
    for index in first..<fields.count where needsMark(fields[index], part) {
      fields[index].value.mark(secret: fields[index].name)
    }
  }

  private func needsMark(_ field: NamedValue, _ part: SecretName.Part) -> Bool {
    contain(field.name, part) && !field.value.isWhollySecret
  }

  /// Marks a request; `authorization` and cookies always are secret.
  func mark(_ request: inout Request.Parts, route: Route?) {
    mark(&request.query, .query)
    markHeaders(&request.headers, areSent: true)
    if let bearer = request.bearer, !bearer.isWhollySecret { request.bearer = bearer.marked(secret: "bearer") }
    markAll(&request.cookies)
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
    markHeaders(&answer.headers, areSent: false)
    markAll(&answer.cookies)
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

  private func markHeaders(_ headers: inout [NamedValue], areSent: Bool) {
    guard !headers.isEmpty else { return }
    for index in headers.indices {
      let name = headers[index].name
      let isCredential = areSent ? name == "authorization" || name == "cookie" : name == "set-cookie"
      if isCredential || contain(name, .header) { headers[index].value.mark(secret: name) }
    }
  }

  private func markAll(_ fields: inout [NamedValue]) {
    guard !fields.isEmpty else { return }
    for index in fields.indices { fields[index].value.mark(secret: fields[index].name) }
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
      let entries = map.entries
      for index in entries.indices where isNamed(entries[index].key) || isNamed(in: entries[index].value) {
        return true
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
          guard !map.entries[index].value.isWhollySecret else { continue }
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
