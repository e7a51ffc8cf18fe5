/// What the live adapter keeps to.
public struct HTTPOptions: Sendable, Hashable {
  /// How long connecting may take, from the look-up of the name to the end of the TLS handshake; never longer than the
  /// request's own time-out.
  public var connectTimeout: Duration = .seconds(10)
  /// How large the body of an answer may become, its content encoding undone.
  public var mostBodyBytes: Int = 8 << 20
  /// A PEM file of certificate authorities, trusted in place of those of the system, for a proxy too; `nil` for those of
  /// the system.
  public var certificateAuthority: String?

  /// The usual ones: 10 seconds to connect, bodies of 8 MiB, the system's certificate authorities.
  public init() {}
}

/// Why there can be no live run on this machine.
///
/// `description` is a sentence for people, and names the package to install where one is missing.
public struct HTTPUnavailable: Error, Sendable, Hashable, CustomStringConvertible {
  /// A sentence for people.
  public let description: String
}
