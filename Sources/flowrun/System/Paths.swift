/// Parts of a path, as text.
enum Paths {
  /// `flows/a.json` of `flows` and `a.json`.
  static func joined(_ folder: String, _ name: String) -> String {
    if folder.isEmpty || folder == "." { return name }
    return folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  /// What stands before the last slash; empty for none.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// The path without its ending, `nil` when it has another.
  static func stem(of path: String, ending: String) -> String? {
    path.hasSuffix(ending) ? String(path.dropLast(ending.count)) : nil
  }

  static func withoutTrailingSlash(_ path: String) -> String {
    path.count > 1 && path.hasSuffix("/") ? withoutTrailingSlash(String(path.dropLast())) : path
  }
}
