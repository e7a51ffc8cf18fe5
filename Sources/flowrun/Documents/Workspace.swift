import FlowSpec
import JSONSyntax

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
  /// Scenarios beside whose folder there is no flow, by the flow that is missed.
  private(set) var strays: [String: [String]] = [:]
  /// JSON files that are none of ours, or no JSON.
  private(set) var others: [String] = []
  /// Goldens without a scenario, beside whose folder there is no flow.
  private(set) var strayGoldens: [String] = []
  /// Files that are nearly named like documents, which nothing looks at.
  private(set) var passedOver: [String] = []
  /// What cannot be read; what belongs to a flow is found out with it.
  private(set) var unreadable: [(path: String, failure: Failure)] = []

  /// The folders that were gone through as a whole, from the root, each with its slash.
  private var folders: [String] = []
  /// Where flows are, with their indices; a path may be written in several ways, or lead through a link.
  private var places: [ScalarString: Int] = [:]
  /// Where everything is that was looked at.
  private var seen: Set<ScalarString> = []
  /// Folders in which what nothing looks at was noted.
  private var passed: Set<ScalarString> = []

  /// Whether all flows that name a service are known: it lies in a folder that was gone through, with flows.
  func knowsFlows(ofServiceAt path: String) -> Bool {
    folders.contains { folder in
      Files.real(path).hasPrefix(folder) && flows.contains { Files.real($0.path).hasPrefix(folder) }
    }
  }

  /// Folders are gone through with all below them, in the order of their names' bytes.
  private static let mostDepth = 16

  init(_ operands: [String]) throws(Failure) {
    let paths = operands.isEmpty ? ["flows"] : operands.map(Self.shortest)
    documents = Documents(named: paths)
    for path in paths {
      switch Files.kind(of: path) {
      case .folder:
        folders.append(Paths.joined(Files.real(path), ""))
        try addFolder(path, depth: 0)
      case nil where !Files.isTaken(path):
        let missing = Failure.missing(path, "file or folder")
        // The others are looked at all the same.
        guard paths.count > 1 else { throw missing }
        unreadable.append((path, missing))
      case .file, .other, nil: add(ScenarioFolder.scenario(ofGoldenAt: path) ?? path)
      }
    }
    // What is wrong with a scenario is told with its flow.
    let told = Set(flows.flatMap(\.scenarios).map(Self.place))
    others.removeAll { told.contains(Self.place(of: $0)) }
    unreadable.removeAll { told.contains(Self.place(of: $0.path)) }
    guard flows.isEmpty, services.isEmpty, strays.isEmpty, others.isEmpty, unreadable.isEmpty else { return }
    throw Failure(
      .noFile, "there is no flow, service or scenario in \(paths.joined(separator: ", "))",
      help: "flows are files that end in .json")
  }

  /// An operand by the path by which a flow's models are found, so that nothing is looked at twice.
  private static func shortest(_ operand: String) -> String {
    let plain = Paths.plain(operand)
    let short = Paths.plain(Paths.withoutDetours(plain))
    return Files.real(short) == Files.real(plain) ? short : plain
  }

  private mutating func addFolder(_ folder: String, depth: Int) throws(Failure) {
    guard depth < Self.mostDepth else { throw .tooDeep(folder, by: depth) }
    let flow = folder + ".json"
    if depth == 0, Files.kind(of: flow) == .file, (try? documents.kind(of: flow)) == .flow { add(flow) }
    let names: [String]
    do throws(Failure) { names = try Files.names(in: folder) } catch {
      // Scenarios are missed by their flow.
      return note(error, at: Files.kind(of: flow) == .file ? flow : folder)
    }
    for name in names {
      let path = Paths.joined(folder, name)
      let kind = Files.kind(of: path)
      if kind == .folder {
        try addFolder(path, depth: depth + 1)
      } else if ScenarioFolder.isGolden(path) {
        let hasScenario = ScenarioFolder.scenario(ofGoldenAt: path).map(Files.isTaken) == true
        let isStray = !hasScenario && !ScenarioFolder.hasFlow(path)
        if isStray, seen.insert(Self.place(of: path)).inserted { strayGoldens.append(path) }
      } else if kind == nil || name.hasSuffix(".json") {
        add(path, isFound: true)
      }
    }
    passOver(in: folder)
  }

  private mutating func passOver(in folder: String) {
    guard passed.insert(ScalarString(Files.real(folder))).inserted else { return }
    passedOver += documents.misnamed(in: folder)
  }

  /// Where a file stands; a link to one is another file, since the name tells what belongs to it.
  private static func place(of path: String) -> ScalarString {
    ScalarString(Paths.joined(Files.real(Paths.folder(of: path)), Paths.name(of: path)))
  }

  /// One that cannot be read does not hide the others; one that is gone by now was never there.
  private mutating func add(_ path: String, isFound: Bool = false) {
    guard seen.insert(Self.place(of: path)).inserted else { return }
    do throws(Failure) { try sort(path) } catch { if !isFound || Files.isTaken(path) { note(error, at: path) } }
  }

  private mutating func note(_ failure: Failure, at path: String) {
    if !unreadable.contains(where: { $0.path == path }) { unreadable.append((path, failure)) }
  }

  private mutating func sort(_ path: String) throws(Failure) {
    switch try documents.kind(of: path) {
    case .flow: try addFlow(path)
    case .service: services.append(path)
    case .scenario: addScenario(path)
    case nil where try documents.isKeptStore(path): break
    case nil where isBrokenScenario(path): addScenario(path)
    case nil: if places[Self.place(of: path)] == nil { others.append(path) }
    }
  }

  private mutating func addFlow(_ path: String) throws(Failure) {
    let names = try ScenarioFolder(flow: path).scenarios
    let index = index(of: path)
    flows[index].isWhole = true
    passOver(in: ScenarioFolder(flow: path).path)
    flows[index].scenarios = names.map(ScenarioFolder(flow: flows[index].path).path(of:))
  }

  private mutating func addScenario(_ path: String) {
    let flow = ScenarioFolder.flow(ofScenarioAt: path)
    // A file that is there and is no flow has an error of its own, which the scenarios must not repeat.
    guard ScenarioFolder.hasFlow(path) else {
      return strays[flow, default: []].append(path)
    }
    let index = index(of: flow)
    others.removeAll { Self.place(of: $0) == Self.place(of: flow) }
    // The whole flow has them all.
    if !flows[index].isWhole { flows[index].scenarios.append(path) }
  }

  /// Whether it is no JSON and stands where the scenarios of a flow do: it says itself what it is only when it is mended.
  private mutating func isBrokenScenario(_ path: String) -> Bool {
    let flow = ScenarioFolder.flow(ofScenarioAt: path)
    return documents.isBroken(path) && ScenarioFolder.hasFlow(path) && (try? documents.kind(of: flow)) == .flow
  }

  private mutating func index(of flow: String) -> Int {
    let place = Self.place(of: flow)
    if let index = places[place] { return index }
    flows.append(Flow(path: flow))
    places[place] = flows.count - 1
    return flows.count - 1
  }
}
