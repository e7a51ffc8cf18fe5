import FlowSpec
import Foundation
import JSONSyntax
import Testing

/// Documents by path, in memory.
struct Documents: DocumentReader {
  var texts: [String: String]

  func read(_ path: String) -> [UInt8]? { texts[path].map { Array($0.utf8) } }

  /// The files of a folder beside this one, by their paths in it.
  static func folder(_ name: String) throws -> Documents {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(name)
    var texts: [String: String] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where path.hasSuffix(".json") {
      texts[path] = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
    }
    return Documents(texts: texts)
  }

  /// The sample: a flow, its two services and a scenario that say everything the language can.
  static func sample() throws -> Documents { try folder("Sample") }

  mutating func flow(_ path: String = "sample.json") -> Checked<Flow> { Loading.flow(at: path, reader: &self) }

  /// What is told of a flow under one code.
  ///
  /// Another error fails the test, but for those expected beside it: in a document that is refused for something else,
  /// most checks tell nothing.
  mutating func told(
    _ code: String, beside expected: Set<String> = [], of path: String = "x.json",
    location: SourceLocation = #_sourceLocation
  ) -> [Diagnostic] {
    let found = flow(path).diagnostics
    for error in found where error.severity == .error && error.code != code && !expected.contains(error.code) {
      Issue.record("\(error.summary): \(error.message)", sourceLocation: location)
    }
    return found.filter { $0.code == code }
  }
}

extension Diagnostic {
  /// `unknown-state sample.json:42:55`, with the severity of what is no more than a remark.
  var summary: String {
    let remark = severity == .remark ? " (remark)" : ""
    guard let site = labels.first?.site else { return code + remark }
    let position = SourceText(site.document.bytes).position(of: site.range.lowerBound)
    return "\(code) \(site.document.path):\(position.line):\(position.column)\(remark)"
  }
}
