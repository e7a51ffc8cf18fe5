/// Where the scenarios of a flow and their goldens are: `flows/f/` for `flows/f.json`.
struct ScenarioFolder {
  static let goldenEnding = ".trace.jsonl"
  static let help = "a scenario stands in the folder that is named like its flow; move it there, or rename one of them"
  private static let documentEnding = ".json"

  let path: String

  init(flow: String) {
    path = Paths.stem(of: flow, ending: Self.documentEnding) ?? flow
  }

  /// The flow that a scenario is for.
  static func flow(ofScenarioAt path: String) -> String {
    let folder = Paths.folder(of: path)
    guard [".", ".."].contains(Paths.name(of: folder)) else { return folder + documentEnding }
    // Only the folder's own name tells the flow's.
    let name = Paths.name(of: Files.real(folder))
    return Paths.joined(path.contains("/") ? folder + "/.." : "..", name + documentEnding)
  }

  static func golden(ofScenarioAt path: String) -> String {
    (Paths.stem(of: path, ending: documentEnding) ?? path) + goldenEnding
  }

  static func scenario(ofGoldenAt path: String) -> String? {
    Paths.stem(of: path, ending: goldenEnding).map { $0 + documentEnding }
  }

  /// The name of a scenario, or of a flow, by that of its file.
  static func name(ofScenarioAt path: String) -> String {
    let name = Paths.name(of: path)
    return Paths.stem(of: name, ending: documentEnding) ?? name
  }

  /// What a file should be called that is nearly named like a document: `a.json` for `a.jsonc`, `.a.json`; `nil` for
  /// another.
  static func documentName(for name: String) -> String? {
    let shown = name.drop { $0 == "." }
    let endings = [documentEnding, ".json.txt", ".jsonc", ".json5"]
    let ending = endings.first { shown.lowercased().hasSuffix($0) && shown.count > $0.count }
    guard let ending else { return nil }
    return shown.dropLast(ending.count) + documentEnding
  }

  static func isGolden(_ path: String) -> Bool { path.hasSuffix(goldenEnding) }

  /// Whether what stands in such a folder has a flow beside the folder.
  static func hasFlow(_ path: String) -> Bool { Files.kind(of: flow(ofScenarioAt: path)) == .file }

  func path(of scenario: String) -> String { Paths.joined(path, scenario + Self.documentEnding) }
  func golden(of scenario: String) -> String { Paths.joined(path, scenario + Self.goldenEnding) }

  /// Names in order; none where there is no such folder.
  var scenarios: [String] { get throws(Failure) { try names(ending: Self.documentEnding) } }
  var goldens: [String] { get throws(Failure) { try names(ending: Self.goldenEnding) } }

  private func names(ending: String) throws(Failure) -> [String] {
    guard Files.isTaken(path), ![.file, .other].contains(Files.kind(of: path)) else { return [] }
    return try Files.names(in: path).compactMap { Paths.stem(of: $0, ending: ending) }
  }
}
