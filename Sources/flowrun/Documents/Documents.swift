import FlowSpec

/// Reads documents from files, each once.
struct Documents: DocumentReader {
  private var known: [String: [UInt8]] = [:]
  /// Of the documents that others name, the first that is there and cannot be read.
  private(set) var unreadable: Failure?

  mutating func read(_ path: String) -> [UInt8]? {
    if let bytes = known[path] { return bytes }
    do throws(Failure) {
      let bytes = try Files.read(path)
      known[path] = bytes
      return bytes
    } catch {
      if Files.kind(of: path) == .file, unreadable == nil { unreadable = error }
      return nil
    }
  }

  /// `nil` for what is neither a flow nor a service nor a scenario.
  mutating func kind(of path: String) throws(Failure) -> DocumentKind? {
    if known[path] == nil { known[path] = try Files.read(path) }
    return known[path].flatMap { Loading.kind(of: $0) }
  }
}
