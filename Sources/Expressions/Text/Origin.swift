/// Where a text that is not known before the run comes from, so that an equal world with other numbers is recognised.
package enum Origin: Sendable, Hashable {
  /// `fresh('name')`: unguessable.
  case fresh(name: String, number: Int, seed: Mint.Seed)
  /// `newId('name')`: a public identifier.
  case identifier(name: String, number: Int, seed: Mint.Seed)
  /// What a function made of something that has an origin: `s256(verifier#1)`, `jwt({…})`.
  case derived(Derivation, Value)

  package enum Derivation: String, Sendable, Hashable {
    case s256, jwt, base64url, urlEncode
  }
}
