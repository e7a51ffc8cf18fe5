import Expressions
import FlowSpec

/// Files that their author takes for documents, and that nothing looks at where they are, or as they are called.
extension Documents {
  /// Of the files in a folder those that are nearly named like documents.
  ///
  /// What is hidden, or may have comments, is often a setting of another program: it says itself what it is.
  mutating func misnamed(in folder: String) -> [String] {
    let names = (try? Files.names(in: folder, withHidden: true)) ?? []
    return names.map { Paths.joined(folder, $0) }.filter { path in
      let name = Paths.name(of: path)
      guard let likely = ScenarioFolder.documentName(for: name), likely != name, Files.kind(of: path) == .file
      else { return false }
      let isPlain = !name.hasPrefix(".") && [".json", ".json.txt"].contains { name.lowercased().hasSuffix($0) }
      return isPlain || isLikeDocument(path)
    }
  }

  private mutating func isLikeDocument(_ path: String) -> Bool {
    guard let bytes = read(path), (try? isKeptStore(path)) != true else { return false }
    return Loading.isLikeDocument(bytes)
  }

  /// A file that is likely the scenario of a golden that seems to have none: one that is called otherwise beside it, or
  /// that lies in another folder; `nil` for none.
  mutating func likelyScenario(ofGolden golden: String) -> String? {
    guard let scenario = ScenarioFolder.scenario(ofGoldenAt: golden) else { return nil }
    let own = Paths.folder(of: golden)
    let beside = Paths.folder(of: ScenarioFolder.flow(ofScenarioAt: scenario))
    var folders = [own] + Self.folders(in: own, levels: 3) + [beside] + Self.folders(in: beside, levels: 1)
    var seen: Set<String> = []
    folders.removeAll { !seen.insert(Files.real($0)).inserted }
    for folder in folders {
      let names = (try? Files.names(in: folder, withHidden: true)) ?? []
      for path in names.map({ Paths.joined(folder, $0) }) where isLikely(path, toBe: scenario) { return path }
    }
    return nil
  }

  private mutating func isLikely(_ path: String, toBe scenario: String) -> Bool {
    let (name, wanted) = (Paths.name(of: path), Paths.name(of: scenario))
    let stem = ScenarioFolder.name(ofScenarioAt: wanted)
    let shown = name.drop { $0 == "." }
    guard shown.hasPrefix(stem), shown.count == stem.count || ".~".contains(shown.dropFirst(stem.count).prefix(1)),
      !ScenarioFolder.isGolden(name), Files.kind(of: path) == .file
    else { return false }
    // One that is in its place has a golden of its own, or gets it.
    let placed = Paths.joined(Paths.folder(of: path), wanted)
    if ScenarioFolder.hasFlow(placed), Files.isTaken(ScenarioFolder.golden(ofScenarioAt: placed)), name == wanted {
      return false
    }
    if (try? kind(of: path)) == .scenario { return true }
    return ScenarioFolder.documentName(for: name) == wanted && isBroken(path)
  }

  /// The folders in a folder, and in those, so many levels deep.
  private static func folders(in folder: String, levels: Int) -> [String] {
    guard levels > 0, let names = try? Files.names(in: folder) else { return [] }
    let inner = names.map { Paths.joined(folder, $0) }.filter { Files.kind(of: $0) == .folder }
    return inner + inner.flatMap { folders(in: $0, levels: levels - 1) }
  }

  /// The flow that is likely meant by a folder of scenarios that is named otherwise: that of the nearest name beside it.
  mutating func likelyFlow(for missing: String) -> String? {
    let flows = neighbours(of: missing).filter { (try? kind(of: $0)) == .flow }
    let names = flows.map(ScenarioFolder.name(ofScenarioAt:))
    return nearestName(to: ScenarioFolder.name(ofScenarioAt: missing), among: names).flatMap(names.firstIndex)
      .map { flows[$0] }
  }

  /// The folder that likely has the scenarios of a flow that seems to have none; `nil` for none.
  mutating func likelyFolder(of flow: String) -> String? {
    let own = ScenarioFolder(flow: flow).path
    for folder in Self.folders(in: Paths.folder(of: flow), levels: 1) where Files.real(folder) != Files.real(own) {
      let missing = folder + ".json"
      guard Files.kind(of: missing) != .file, likelyFlow(for: missing) == flow else { continue }
      let paths = ((try? ScenarioFolder(flow: missing).scenarios) ?? []).map(ScenarioFolder(flow: missing).path(of:))
      if paths.contains(where: { (try? kind(of: $0)) == .scenario }) { return folder }
    }
    return nil
  }
}
