import Expressions
import FlowEngine
import FlowHTTP
import FlowInterpreter
import FlowSpec

/// The browser in which a person sees pages of live services, and what the browser comes back to (RFC 8252).
struct LiveBrowser: Sendable {
  let system: SystemBrowser
  /// `nil` where no redirect URI of the app leads to this machine, or no page opens.
  let listener: RedirectListener?
  /// After so long a page that was opened counts as closed.
  let wait: Duration

  /// Begins to listen where the flow may open a live page: loopback redirect URIs without a port get a free one, which
  /// the config that they are made of then has (RFC 8252, section 7.3).
  init(
    _ options: LiveOptions, for flow: Flow, config: inout [Int: Value], console: Console
  ) throws(Failure) {
    system = try SystemBrowser(options.browser, console: console)
    wait = options.browserWait
    let live = options.services.map(\.name)
    let opens = flow.openedServices.contains { live.contains(flow.participants[flow.services[$0].participant].name) }
    let own = opens ? flow.redirectURIs(config: config).filter { RedirectListener.isLoopback($0.text) } : []
    guard !own.isEmpty else {
      listener = nil
      return
    }
    let listener: RedirectListener
    do throws(ListenerError) {
      listener = try RedirectListener(for: own.map(\.text))
    } catch {
      switch error {
      case .notLoopback, .secure, .otherAddress, .malformed: throw Failure(.usage, error.description)
      // The same command line may do later.
      case .portTaken, .cannotListen, .noThread, .closed: throw Failure(.unreachable, error.description)
      }
    }
    for (uri, actual) in zip(own, listener.redirectURIs) where uri.text != actual {
      guard let key = uri.key else { throw Self.cannotBeReplaced(uri.written) }
      config[key] = .string(actual)
    }
    self.listener = listener
  }

  private static func cannotBeReplaced(_ uri: String) -> Failure {
    Failure(
      .usage,
      "the redirect URI \"\(uri)\" has no port, and the flow has no config that holds it and could get a free one",
      help: "write it as \"${config.redirectUri}\" in the flow, or give it a port")
  }
}

extension Flow {
  /// The app's redirect URIs as they are with some values of its config, as the flow writes them, and with the config
  /// that is all of one.
  fileprivate func redirectURIs(config given: [Int: Value]) -> [(text: String, written: String, key: Int?)] {
    var config = app.configValues
    for (key, value) in given { config[key] = value }
    return redirectURIs.compactMap { uri in
      uri.text(over: config).map { ($0.string, uri.template.source, soleConfig(of: uri)) }
    }
  }
}
