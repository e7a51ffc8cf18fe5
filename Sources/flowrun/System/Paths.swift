/// Parts of a path, as text.
enum Paths {
  /// `flows/a.json` of `flows` and `a.json`.
  static func joined(_ folder: String, _ name: String) -> String {
    if folder.isEmpty || folder == "." { return name }
    return folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  /// What stands before the last slash; without one the folder that the program runs in.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// The path without its ending, `nil` when it has another.
  static func stem(of path: String, ending: String) -> String? {
    path.hasSuffix(ending) ? String(path.dropLast(ending.count)) : nil
  }

  /// Without `.`, and without `..` where a folder stands before it: `flows/services/a.json` of
  /// `flows/deep/../services/a.json`.
  static func withoutDetours(_ path: String) -> String {
    guard path.split(separator: "/").contains(where: { [".", ".."].contains($0) }) else { return path }
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
    }
    return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }

  /// Without what leads nowhere else: `flows/a.json` of `./flows//a.json/`.
  static func plain(_ path: String) -> String {
    let plain = path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    return path.hasPrefix("/") ? "/" + plain : plain.isEmpty ? "." : plain
  }
}

/// A path in a command that is proposed, as a shell reads it back, and not as an option.
func quoted(_ path: String) -> String {
  let isPlain = path.unicodeScalars.allSatisfy {
    $0.properties.isAlphabetic || "0123456789-_./".unicodeScalars.contains($0)
  }
  if path.hasPrefix("-") { return quoted("./" + path) }
  if isPlain { return path }
  return "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
}
