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

  /// The folders in a folder, and in those, so many levels deep.
  fileprivate static func folders(in folder: String, levels: Int) -> [String] {
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

/// Finds the scenarios of goldens that seem to have none.
///
/// Folders are listed and flows are read once, since there may be many such goldens.
struct LikelyScenarios {
  /// By the folder of the golden, then by what the name of a file begins with, its dots and case left out.
  private var paths: [String: [String: [String]]] = [:]
  private var flows: [String: Flow?] = [:]

  /// A file that is likely the scenario of a golden: one that is called otherwise beside it, or that lies in another
  /// folder; `nil` for none.
  mutating func likelyScenario(ofGolden golden: String, _ documents: inout Documents) -> String? {
    guard let scenario = ScenarioFolder.scenario(ofGoldenAt: golden) else { return nil }
    let wanted = Paths.name(of: scenario).lowercased()
    let near = paths(near: scenario)[ScenarioFolder.name(ofScenarioAt: wanted)] ?? []
    for path in near where Files.kind(of: path) == .file && !isInPlace(path, for: golden, &documents) {
      if (try? documents.kind(of: path)) == .scenario { return path }
      let right = ScenarioFolder.documentName(for: Paths.name(of: path))
      if right?.lowercased() == wanted, documents.isBroken(path) { return path }
    }
    return nil
  }

  /// Whether it is looked at where it is, and has a golden of its own or gets it.
  private mutating func isInPlace(_ path: String, for golden: String, _ documents: inout Documents) -> Bool {
    let name = Paths.name(of: path)
    guard !name.hasPrefix("."), ScenarioFolder.documentName(for: name) == name else { return false }
    // What is wrong with one of the same flow is told by itself.
    if Paths.folder(of: path) == Paths.folder(of: golden) { return true }
    guard ScenarioFolder.hasFlow(path) else { return false }
    if Files.isTaken(ScenarioFolder.golden(ofScenarioAt: path)) { return true }
    guard let flow = flow(at: ScenarioFolder.flow(ofScenarioAt: path), &documents) else { return false }
    return (try? documents.loaded { Loading.scenario(at: path, for: flow, reader: &$0) })?.value != nil
  }

  private mutating func flow(at path: String, _ documents: inout Documents) -> Flow? {
    if let known = flows[path] { return known }
    let flow = (try? documents.loaded { Loading.flow(at: path, reader: &$0) })?.value
    flows[path] = .some(flow)
    return flow
  }

  /// The files in the folder of a scenario and in those in it, beside it, and in those there, nearest first.
  private mutating func paths(near scenario: String) -> [String: [String]] {
    let own = Paths.folder(of: scenario)
    if let known = paths[own] { return known }
    let beside = Paths.folder(of: ScenarioFolder.flow(ofScenarioAt: scenario))
    var folders = [own] + Documents.folders(in: own, levels: 3) + [beside] + Documents.folders(in: beside, levels: 1)
    var seen: Set<String> = []
    folders.removeAll { !seen.insert(Files.real($0)).inserted }
    var found: [String: [String]] = [:]
    for folder in folders {
      for name in (try? Files.names(in: folder, withHidden: true)) ?? [] where !ScenarioFolder.isGolden(name) {
        for start in Self.starts(of: name) { found[start, default: []].append(Paths.joined(folder, name)) }
      }
    }
    paths[own] = found
    return found
  }

  /// What a scenario may be called by whose file has a name: `a` and `a.b` for `.a.b`, `a` for `a~`.
  private static func starts(of name: String) -> [String] {
    let shown = name.lowercased().drop { $0 == "." }
    return shown.indices.filter { ".~".contains(shown[$0]) }.map { String(shown[..<$0]) } + [String(shown)]
  }
}
