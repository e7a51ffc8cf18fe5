import Expressions
import FlowSpec

/// What of a world is real: a model does not answer for it, its driver does, by choices.
package struct Outside: Sendable {
  /// Services that are live, as `Flow.services` counts them.
  package var services: Set<Int> = []
  /// Where live services stand that do not stand at the flow's `url`.
  package var addresses: [Int: Text] = [:]
  /// Whether the device performs what it is asked for, and not its examples.
  package var device = false

  package init() {}

  /// Whether all of the world is simulated.
  var isNothing: Bool { services.isEmpty && addresses.isEmpty && !device }
}

extension World {
  func isLive(_ service: Int) -> Bool { outside.services.contains(service) }

  /// Whether anyone on the way to a service can read what it is sent.
  package func isOpen(_ service: Int, config: [Value]) -> Bool {
    book(for: config).isOpen[service]
  }

  /// Whether the address of a service, given or the flow's own, is one of HTTP that paths can stand behind.
  package func isOfHTTP(_ service: Int, config: [Value]) -> Bool {
    let address = outside.addresses[service] ?? flow.services[service].url.flatMap { $0.text(over: config) }
    guard let address, Address(address) != nil else { return false }
    let written = address.string
    let begins = written.lowercased()
    guard let scheme = ["https://", "http://"].first(where: begins.hasPrefix) else { return false }
    return isAuthority(begins.dropFirst(scheme.count).prefix { $0 != "/" })
      && !written.contains { "?#@\\".contains($0) || $0.isWhitespace }
      && written.split(separator: "%", omittingEmptySubsequences: false).dropFirst().allSatisfy(\.beginsWithByte)
  }

  /// Which participant is the app.
  package var appLane: Int { lanes.app }

  /// An address as one that leads to the app: a redirect URI of it, or one of its links; `nil` for any other.
  package func ownLocation(_ text: String, in snapshot: Snapshot) -> Location? {
    guard let address = Address(Text(text)) else { return nil }
    let location = location(of: address, app: snapshot.app)
    var step = Step(world: self, snapshot: snapshot, isRecording: false)
    let isLink = flow.links.contains { step.match(location, $0) != nil }
    return isLink || step.isRedirectURI(location) ? location : nil
  }
}

extension Substring {
  /// Whether it goes on behind a percent sign as RFC 3986, section 2.1, has it.
  fileprivate var beginsWithByte: Bool {
    utf8.count > 1 && prefix(2).allSatisfy { $0.isASCII && $0.isHexDigit }
  }
}
