/// Reads the documents that another one names; the caller decides where from.
package protocol DocumentReader {
  /// `nil` when there is no such document.
  mutating func read(_ path: String) -> [UInt8]?
  /// The paths of what stands in the same folder, to find one that was meant.
  func neighbours(of path: String) -> [String]
  /// Whether a folder stands there, of which `read` has nothing.
  func isFolder(_ path: String) -> Bool
  /// What a document at a path is called, whoever names it.
  func name(ofPath path: String) -> String
}

extension DocumentReader {
  package func neighbours(of path: String) -> [String] { [] }
  package func isFolder(_ path: String) -> Bool { false }
  package func name(ofPath path: String) -> String { path }
}
