import Expressions

/// What a machine can name beyond its own document.
struct Surroundings: Sendable {
  struct Lane: Sendable {
    let name: String
    let kind: String
    let site: Site
  }

  /// The flow's participants; empty when a service is checked alone.
  var participants: [Lane] = []
  /// What `to` may name, with the index of the service: participants in a flow, other documents in a service.
  var peers: [(name: String, service: Int)] = []
  /// A service checked by itself: it may name peers that are not there.
  var isAlone = false
  /// Some participant could not be read.
  var isBlind = false
  /// A service whose model could not be read: what names it is not to blame.
  var unreadPeer: Int?
  var capabilities: [Capability] = []
  /// Capabilities whose declarations are wrong.
  var brokenCapabilities: Set<String> = []
  var links: [Link] = []
  /// Whether the app declares where the browser may come back to, as far as that could be read.
  var takesRedirects = true

  struct Link: Sendable {
    let name: String
    /// `nil` when the pattern is wrong.
    let variables: [String]?
    /// Of the pattern.
    let site: Site
  }

  func has(_ kind: String) -> Bool { isAlone || participants.contains { $0.kind == kind } }
}
