import FlowSpec

/// The documents below some paths, by what they are.
struct Workspace {
  struct Flow {
    let path: String
    /// Paths of its scenarios that are meant.
    var scenarios: [String] = []
    /// The flow itself or its folder is meant, not only some of its scenarios.
    var isWhole = false
  }

  private(set) var documents: Documents
  private(set) var flows: [Flow] = []
  private(set) var services: [String] = []
  /// Scenarios beside whose folder there is no flow.
  private(set) var strays: [String] = []
  /// JSON files that are none of ours, or no JSON.
  private(set) var others: [String] = []

  /// Folders are gone through with all below them, in the order of their names' bytes.
  private static let mostDepth = 16

  init(_ paths: [String]) throws(Failure) {
    documents = Documents(named: paths)
    for path in (paths.isEmpty ? ["flows"] : paths).map(Paths.withoutTrailingSlash) {
      switch Files.kind(of: path) {
      case .folder: try addFolder(path, depth: 0)
      case .file, .other:
        let document = ScenarioFolder.scenario(ofGoldenAt: path) ?? path
        try add(document)
      case nil: throw .missing(path, "file or folder")
      }
    }
    guard flows.isEmpty, services.isEmpty, strays.isEmpty, others.isEmpty else { return }
    let names = paths.isEmpty ? ["flows"] : paths
    throw Failure(
      .noFile, "there is no flow, service or scenario in \(names.joined(separator: ", "))",
      help: "flows are files that end in .json")
  }

  private mutating func addFolder(_ folder: String, depth: Int) throws(Failure) {
    guard depth < Self.mostDepth else { throw .tooDeep(folder, by: depth) }
    let flow = folder + ".json"
    if depth == 0, Files.kind(of: flow) == .file, try documents.kind(of: flow) == .flow { addFlow(flow) }
    for name in try Files.names(in: folder) {
      let path = Paths.joined(folder, name)
      switch Files.kind(of: path) {
      case .folder: try addFolder(path, depth: depth + 1)
      case .file where name.hasSuffix(".json"): try add(path)
      case .file, .other, nil: break
      }
    }
  }

  private mutating func add(_ path: String) throws(Failure) {
    switch try documents.kind(of: path) {
    case .flow: addFlow(path)
    case .service: if !services.contains(path) { services.append(path) }
    case .scenario: addScenario(path)
    case nil where try documents.isKeptStore(path): break
    case nil: if !others.contains(path), !flows.contains(where: { $0.path == path }) { others.append(path) }
    }
  }

  private mutating func addFlow(_ path: String) {
    let index = index(of: path)
    guard !flows[index].isWhole else { return }
    let folder = ScenarioFolder(flow: path)
    flows[index].isWhole = true
    flows[index].scenarios = folder.scenarios.map(folder.path(of:))
  }

  private mutating func addScenario(_ path: String) {
    let flow = ScenarioFolder.flow(ofScenarioAt: path)
    // A file that is there and is no flow has an error of its own, which the scenarios must not repeat.
    guard Files.kind(of: flow) == .file else {
      if !strays.contains(path) { strays.append(path) }
      return
    }
    let index = index(of: flow)
    others.removeAll { $0 == flow }
    if !flows[index].scenarios.contains(path) { flows[index].scenarios.append(path) }
  }

  private mutating func index(of flow: String) -> Int {
    if let index = flows.firstIndex(where: { $0.path == flow }) { return index }
    flows.append(Flow(path: flow))
    return flows.count - 1
  }
}
