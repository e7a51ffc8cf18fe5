import FlowSpec

/// Reads documents from files, each once.
struct Documents: DocumentReader {
  private var known: [String: [UInt8]] = [:]

  mutating func read(_ path: String) -> [UInt8]? {
    if let bytes = known[path] { return bytes }
    guard let bytes = try? Files.read(path) else { return nil }
    known[path] = bytes
    return bytes
  }

  /// `nil` for what is neither a flow nor a service nor a scenario.
  mutating func kind(of path: String) throws(Failure) -> DocumentKind? {
    if known[path] == nil { known[path] = try Files.read(path) }
    return known[path].flatMap { Loading.kind(of: $0) }
  }
}
