import Expressions

extension Check {
  /// Passwords that the app keeps: whoever gets at what it stores can sign in with them for good, and elsewhere too.
  ///
  /// A client discards them once it has a token (RFC 6749, section 4.3.1). What is made of one is taken for something else.
  static let keptPasswords: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let stored = examined.actions.flatMap(\.assignments).flatMap(\.stored)
    return stored.filter { $0.field.type.mayBeSecret }.flatMap { field, value in
      value.placed.filter { $0.template.expressions.contains { $0.handedOn.contains(where: \.isOfPassword) } }.map {
        placed in
        Diagnostic(
          "kept-password", severity: .warning,
          "\"\(field.name)\" keeps a password: whoever gets at the store can sign in with it for good", at: placed.site,
          "is stored",
          help: "send it from \"memory\" and keep a token that the server can revoke (RFC 6749, section 4.3.1)")
      }
    }
  }
}

extension String {
  /// Whether what an event or the memory has under such a name is a password, for more than one time.
  fileprivate var isOfPassword: Bool {
    guard let path = MemberPath(self, below: "event") ?? MemberPath(self, below: "memory"),
      case .member(let name)? = path.parts.last
    else { return false }
    let word = name.lowercased()
    let isOfOneTry = ["onetime", "one_time", "one-time"].contains(where: word.contains)
    return !isOfOneTry && ["password", "passphrase", "passcode", "passwd"].contains(where: word.hasSuffix)
  }
}
