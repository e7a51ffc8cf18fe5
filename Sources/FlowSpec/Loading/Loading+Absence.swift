import Expressions

extension Loading {
  /// What is said of a path at which no document can be read.
  static func absence(of path: String, namedAt site: Site?, _ reader: some DocumentReader) -> Diagnostic {
    let words = site.flatMap { slip(in: path, namedAt: $0) } ?? folder(at: path, isNamed: site != nil, reader)
    return Diagnostic(
      code: "missing-document", message: words?.message ?? "there is no document \(path)",
      labels: site.map { [Diagnostic.Label(site: $0, text: "named here")] } ?? [],
      help: words?.help ?? neighbour(of: path, namedAt: site, reader).map { "did you mean \($0)?" }
        ?? site.map { _ in "write the document, or correct the path, which begins at the folder of this one" })
  }

  /// A path that is written as if it began at the root, or as some systems write them.
  private static func slip(in path: String, namedAt site: Site) -> (message: String, help: String)? {
    let folder = folder(of: site.document.path)
    let written = String(path.dropFirst(folder.count))
    if !folder.isEmpty, path.hasPrefix(folder + "/") {
      return (
        "no document is found by the path \(written), which begins at the root",
        "a path is relative to the folder of the document that names it: begin it without \"/\""
      )
    }
    guard path.hasPrefix(folder), written.contains("\\") else { return nil }
    return ("there is no document \(path)", "write \"\(written.replacing("\\", with: "/"))\": folders end with \"/\"")
  }

  private static func folder(
    at path: String, isNamed: Bool, _ reader: some DocumentReader
  ) -> (message: String, help: String)? {
    guard reader.isFolder(path) else { return nil }
    return (
      "\(path) is a folder, not a file",
      isNamed ? "name a file in it" : "what ends in \".json\" is a document: call the folder otherwise"
    )
  }

  /// The document that is likely meant: that of the same name where services usually stand, or of the nearest.
  private static func neighbour(of path: String, namedAt site: Site?, _ reader: some DocumentReader) -> String? {
    let name = stem(of: path)
    let usual = site.map { "\(folder(of: $0.document.path))services/\(name)" }
    let files = [path, usual].compactMap(\.self).flatMap(reader.neighbours)
    let names = files.map(stem)
    let index = names.firstIndex(of: name) ?? nearestName(to: name, among: names).flatMap(names.firstIndex)
    return index.map { files[$0] }
  }
}
