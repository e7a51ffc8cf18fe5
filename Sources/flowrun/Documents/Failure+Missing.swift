import Expressions
import FlowSpec

extension Failure {
  /// There is nothing at this path; helps with what is likely meant.
  static func missing(_ path: String, _ what: String) -> Failure {
    // What was to go elsewhere may have a secret in it.
    if path.contains("{\"") || path.hasPrefix("[") {
      return Failure(
        .noFile, "there is no \(what) of such a name", help: "what is given there is JSON: write it into a file")
    }
    let name = path.prefix { $0 != "=" }
    if name.endIndex != path.endIndex, !name.contains("/"), String(name).mayBeChosen {
      return Failure(
        .noFile, "there is no \(what) \(name)=…",
        help: "what stands behind \"=\" may be a secret, and is not shown; one value of the config is given by --config"
      )
    }
    let likely = likely(path, isFile: what == "file")
    return Failure(.noFile, "there is no \(what) \(path)", help: likely.map { "did you mean \($0)?" })
  }

  /// A folder stands where a flow is needed; `inner` is one that lies in it.
  static func folder(_ path: String, with inner: String?, toBe done: LoadedFlow.Use) -> Failure {
    let beside = Paths.plain(path) + ".json"
    let one = "\(done.command) \(inner.map(quoted) ?? "FLOW")"
    let help =
      if Files.kind(of: beside) == .file {
        "did you mean \(beside)?"
      } else if done == .run {
        "flowrun test \(quoted(path)) runs all scenarios in it; \(one) runs one flow"
      } else {
        "one flow at a time is \(done.rawValue): \(one)"
      }
    return Failure(.noFile, "\(path) is a folder, not a file", help: help)
  }

  /// A folder that so many stand around: most likely one of them is a link to another that it lies in.
  static func tooDeep(_ folder: String, by depth: Int) -> Failure {
    let paths = Array(sequence(first: folder, next: Paths.folder(of:)).prefix(depth + 1))
    let places = paths.map { Paths.joined(Files.place(of: $0), "") }
    let back = paths.indices.last { index in places[(index + 1)...].contains { $0.hasPrefix(places[index]) } }
    guard let back else { return Failure(.noFile, "\(folder) lies too deep") }
    return Failure(.noFile, "\(paths[back]) leads back to a folder that it lies in", help: "remove this link")
  }

  /// What is missing only its ending or its folder, else the document or folder beside it with the nearest name.
  private static func likely(_ path: String, isFile: Bool) -> String? {
    let guesses = [path + ".json", Paths.joined("flows", path), Paths.joined("flows", path + ".json")]
    if let guess = guesses.first(where: { Files.kind(of: $0) == .file }) { return guess }
    let folder = Paths.folder(of: path)
    guard var names = try? Files.names(in: folder) else { return nil }
    if isFile { names.removeAll { !$0.hasSuffix(".json") } }
    // Without the ending, which is alike for all.
    let stem = stem(of: Paths.name(of: path))
    guard let nearest = nearestName(to: stem, among: names.map(stem(of:))) else { return nil }
    return names.first { self.stem(of: $0) == nearest }.map { Paths.joined(folder, $0) }
  }

  private static func stem(of name: String) -> String { Paths.stem(of: name, ending: ".json") ?? name }
}
