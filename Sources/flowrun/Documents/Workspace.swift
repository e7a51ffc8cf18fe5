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
  /// Goldens beside whose folder there is no flow.
  private(set) var strayGoldens: [String] = []
  /// What stands in the folders and cannot be read; what belongs to a flow is found out with it.
  private(set) var unreadable: [(path: String, failure: Failure)] = []

  /// Folders are gone through with all below them, in the order of their names' bytes.
  private static let mostDepth = 16

  init(_ operands: [String]) throws(Failure) {
    let paths = operands.isEmpty ? ["flows"] : operands.map(Paths.plain)
    documents = Documents(named: paths)
    for path in paths {
      switch Files.kind(of: path) {
      case .folder: try addFolder(path, depth: 0)
      case nil where !Files.isTaken(path): throw .missing(path, "file or folder")
      case .file, .other, nil: try add(ScenarioFolder.scenario(ofGoldenAt: path) ?? path)
      }
    }
    // What is wrong with a scenario is told with its flow.
    let told = Set(flows.flatMap(\.scenarios))
    others.removeAll { told.contains($0) }
    unreadable.removeAll { told.contains($0.path) }
    guard flows.isEmpty, services.isEmpty, strays.isEmpty, others.isEmpty, unreadable.isEmpty else { return }
    throw Failure(
      .noFile, "there is no flow, service or scenario in \(paths.joined(separator: ", "))",
      help: "flows are files that end in .json")
  }

  private mutating func addFolder(_ folder: String, depth: Int) throws(Failure) {
    guard depth < Self.mostDepth else { throw .tooDeep(folder, by: depth) }
    let flow = folder + ".json"
    if depth == 0, Files.kind(of: flow) == .file, try documents.kind(of: flow) == .flow { try addFlow(flow) }
    for name in try Files.names(in: folder) {
      let path = Paths.joined(folder, name)
      let kind = Files.kind(of: path)
      if kind == .folder {
        try addFolder(path, depth: depth + 1)
      } else if ScenarioFolder.isGolden(path) {
        if !ScenarioFolder.hasFlow(path), !strayGoldens.contains(path) { strayGoldens.append(path) }
      } else if kind == nil || name.hasSuffix(".json") {
        addFound(path)
      }
    }
  }

  /// One that cannot be read does not hide the others; one that is gone by now was never there.
  private mutating func addFound(_ path: String) {
    do throws(Failure) { try add(path) } catch {
      guard Files.isTaken(path), !unreadable.contains(where: { $0.path == path }) else { return }
      unreadable.append((path, error))
    }
  }

  private mutating func add(_ path: String) throws(Failure) {
    switch try documents.kind(of: path) {
    case .flow: try addFlow(path)
    case .service: if !services.contains(path) { services.append(path) }
    case .scenario: addScenario(path)
    case nil where try documents.isKeptStore(path): break
    case nil: if !others.contains(path), !flows.contains(where: { $0.path == path }) { others.append(path) }
    }
  }

  private mutating func addFlow(_ path: String) throws(Failure) {
    let folder = ScenarioFolder(flow: path)
    let scenarios = try folder.scenarios.map(folder.path(of:))
    let index = index(of: path)
    flows[index].isWhole = true
    flows[index].scenarios = scenarios
  }

  private mutating func addScenario(_ path: String) {
    let flow = ScenarioFolder.flow(ofScenarioAt: path)
    // A file that is there and is no flow has an error of its own, which the scenarios must not repeat.
    guard ScenarioFolder.hasFlow(path) else {
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
