import JSONSyntax

/// Unsigned JWTs (RFC 7519), as simulated services issue them, and the payloads of any.
enum JSONWebToken {
  /// The claims that are instants (RFC 7519 §4.1, OpenID Connect Core §2).
  static let instantClaims = ["exp", "iat", "nbf", "auth_time"]

  /// What each of them begins with.
  static let header = base64URL(Array(#"{"alg":"none","typ":"JWT"}"#.utf8)) + "."

  /// The first of them that is no timestamp.
  static func misread(in payload: ValueMap) -> (name: String, value: Value)? {
    for name in instantClaims {
      if let value = payload[name], value.shape != .timestamp { return (name, value) }
    }
    return nil
  }

  static func text(payload: Value) -> String {
    var writer = JSONWriter()
    writer.write(payload, inSeconds: true)
    return header + base64URL(writer.taken()) + ".simulated"
  }

  /// One member of what `claims` makes of a text or of null; `nil` where there is none.
  static func claim(
    _ name: SoughtName, of token: Value, isStrict: Bool, at range: Range<Int>
  ) throws(EvaluationError) -> Value? {
    var payload = Value.null
    if case .string(let text) = token {
      if case .map(let map)? = issued(text) {
        guard let index = map.index(of: name) else { return nil }
        return map.entries[index].value.asClaims ?? map.entries[index].value
      }
      payload = claims(text)
    }
    if case .map(let map) = payload { return map[name.string] }
    if isStrict { throw .noOverload("the selection of a field", payload, at: range) }
    return nil
  }

  /// Whether `claims` makes null of a text or of null.
  static func hasNoClaims(_ token: Value) -> Bool {
    guard case .string(let text) = token else { return true }
    return issued(text) == nil && claims(text).isNull
  }

  /// The payload of a token that a simulated service made, as it was put in.
  fileprivate static func issued(_ text: Text) -> Value? {
    // Nearly always it is no more than that, and the origin is not taken out.
    if case .whole(let whole) = text.form {
      if case .derived(.jwt, let payload) = whole.origin { return payload }
    } else if case .derived(.jwt, let payload)? = text.wholeOrigin {
      return payload
    }
    return nil
  }

  /// The payload, unverified; null when the text is no JWT.
  ///
  /// Of a token that a simulated service made it is what JSON makes of what the service put in, with what is fresh in it
  /// still known as such.
  static func claims(_ text: Text) -> Value {
    if let payload = issued(text) { return payload.asClaims ?? payload }
    let parts = text.string.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard !text.hasOrigin, parts.count == 3, let payload = bytes(ofBase64URL: Substring(parts[1])),
      let node = try? JSONParser.parse(payload, as: .body), case .object = node.kind, node.duplicateMembers().isEmpty
    else { return .null }
    return Value(body: node)
  }
}

extension Text {
  /// The same token with another payload; `nil` for one that no simulated service made.
  package func token(changing payload: (Value) -> Value) -> String? {
    JSONWebToken.issued(self).map { JSONWebToken.text(payload: payload($0)) }
  }
}

extension Value {
  /// The same value with whole seconds since 1970 for timestamps; `nil` when it is just so.
  fileprivate var asClaims: Value? {
    switch self {
    case .timestamp(let instant): return .int(instant.seconds)
    case .list(let elements): return elements.changing(\.asClaims).map { .list($0) }
    case .map(let map): return map.changing(\.asClaims).map { .map($0) }
    default: return nil
    }
  }
}
