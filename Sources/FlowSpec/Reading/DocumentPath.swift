/// Where a document is that another one names.
enum DocumentPath {
  /// A path that is relative to a folder, which ends with a slash or is empty: `flows/services/api.json` of
  /// `../services/api.json` in `flows/deep/`, so that a document has one name, whoever names it.
  static func joined(_ folder: String, _ relative: String) -> String {
    let isPlain = !relative.split(separator: "/").contains { [".", ".."].contains($0) }
    if isPlain { return folder + relative }
    var parts: [Substring] = []
    for part in (folder + relative).split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
    }
    return (folder.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }
}
