import JSONSyntax

/// Unsigned JWTs (RFC 7519), as simulated services issue them, and the payloads of any.
enum JSONWebToken {
  /// The claims that are instants (RFC 7519 §4.1, OpenID Connect Core §2).
  static let instantClaims = ["exp", "iat", "nbf", "auth_time"]

  static func text(payload: Value) -> String {
    var writer = JSONWriter()
    writer.write(payload, instants: .seconds)
    return base64URL(Array(#"{"alg":"none","typ":"JWT"}"#.utf8)) + "." + base64URL(writer.bytes) + ".simulated"
  }

  /// The payload, unverified; null when the text is no JWT.
  ///
  /// Of a token that a simulated service made it is what the service put in, with what is fresh in it still known as such.
  static func claims(_ text: Text) -> Value {
    if case .derived(.jwt, let arguments) = text.wholeOrigin, let payload = arguments.first {
      return payload.mapTexts { $0.unmarked() }.withSeconds
    }
    let parts = text.string.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard !text.isFresh, parts.count == 3, let payload = bytes(ofBase64URL: Substring(parts[1])),
      let node = try? JSONParser.parse(payload, as: .body), case .object = node.kind, !node.hasDuplicateMembers
    else { return .null }
    return Value(body: node)
  }
}

extension Value {
  /// The same value with whole seconds since 1970 for timestamps.
  fileprivate var withSeconds: Value {
    switch self {
    case .timestamp(let instant): .int(instant.seconds)
    case .list(let elements): .list(elements.map(\.withSeconds))
    case .map(let map): .map(map.mapValues(\.withSeconds))
    default: self
    }
  }
}
