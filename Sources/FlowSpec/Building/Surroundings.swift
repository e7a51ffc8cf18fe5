import Expressions

/// What a machine can name beyond its own document.
struct Surroundings: Sendable {
  /// The flow's participants; empty when a service is checked alone.
  var participants: [Participant] = []
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
  private(set) var links: [Link] = []
  /// By name; of several alike the first.
  private var linkIndices: [String: Int] = [:]
  /// Whether the app declares where the browser may come back to, as far as that could be read.
  var takesRedirects = true

  struct Link: Sendable {
    let name: String
    /// Of the pattern.
    let site: Site
    /// All of it, scheme, host and port, and the path; `nil` when the pattern is wrong.
    var pattern: (text: String, origin: String, path: PathPattern)?

    var variables: [String]? { pattern?.path.variables }
  }

  mutating func add(_ link: Link) {
    if linkIndices[link.name] == nil { linkIndices[link.name] = links.count }
    links.append(link)
  }

  /// The one whose event has this name.
  func link(ofEvent name: String) -> Link? {
    name.hasPrefix("link.") ? linkIndices[String(name.dropFirst(5))].map { links[$0] } : nil
  }

  func has(_ kind: Participant.Kind) -> Bool { isAlone || participants.contains { $0.kind == kind } }
}
