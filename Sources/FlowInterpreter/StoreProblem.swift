import Expressions

/// Why a store that was kept cannot be used.
public enum StoreProblem: Sendable, Hashable, CustomStringConvertible {
  /// No session has written it so; what is wrong with its JSON, and where, is `nil` where it is JSON.
  case damaged(at: String? = nil)
  /// A newer version of this library has written it, in a format that this one does not know.
  case unknownFormat(Int64)
  /// It belongs to a flow of another name.
  case ofFlow(String, not: String)
  /// The flow declares these keys otherwise, or fields of rows, as `notes.text`.
  case misfit([Misfit])

  /// A key that holds what does not fit it.
  public struct Misfit: Sendable, Hashable {
    /// Its name, or that of a table and of a field of its rows: `notes.text`.
    public let name: String
    /// The only words that it may hold; `nil` where it may hold others, or is secret.
    public let allowed: [String]?

    /// A key or a field by its name.
    public init(_ name: String, allowed: [String]? = nil) { (self.name, self.allowed) = (name, allowed) }
  }

  /// A clause for people: what is wrong with the store.
  public var description: String {
    switch self {
    case .damaged(let place): "it was not written by a session, or is damaged" + (place.map { ": \($0)" } ?? "")
    case .unknownFormat(let format): "it has format \(format), and this version knows \(FlowStore.format)"
    case .ofFlow(let other, not: let flow): "it belongs to flow \"\(other)\", not to \"\(flow)\""
    case .misfit(let misfits):
      "what it holds for \(misfits.map(\.words).listed) \(misfits.count == 1 ? "does" : "do") not fit what the flow "
        + "declares"
    }
  }
}

extension StoreProblem.Misfit {
  fileprivate var words: String {
    "\"\(name)\"" + (allowed.map { " (one of \($0.map { "\"\($0)\"" }.listed))" } ?? "")
  }
}
