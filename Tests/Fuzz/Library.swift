import FlowSpec
import Foundation

/// Documents with what each is looked at together with.
struct Library {
  private(set) var subjects: [Subject] = []

  /// Of the files at some paths those that are documents; each has to be readable.
  init(_ paths: [String]) {
    var documents: [String: [UInt8]] = [:]
    for path in paths {
      guard let bytes = FileManager.default.contents(atPath: path) else {
        print("failed: \(path) cannot be read")
        exit(1)
      }
      documents[path] = Array(bytes)
    }
    let kinds = documents.compactMapValues { Loading.kind(of: $0) }
    var shelf = Shelf(documents: documents)
    let flows = kinds.keys.filter { kinds[$0] == .flow }.sorted()
    // The flow by which a service is looked at is the smallest that names it.
    var users: [String: String] = [:]
    var loaded: [String: Flow] = [:]
    for flow in flows.sorted(by: { shelf.size($0) > shelf.size($1) }) {
      shelf.read = []
      loaded[flow] = Loading.flow(at: flow, reader: &shelf).value
      for path in shelf.read { users[path] = flow }
    }
    for (path, kind) in kinds.sorted(by: { $0.key < $1.key }) {
      let flow = kind == .scenario ? Self.flow(ofScenario: path, among: flows) : users[path]
      let whole = flow.flatMap { loaded[$0] }
      guard let bytes = documents[path], kind == .service || whole != nil else {
        fatalError("\(path) is no document that can be used as it is")
      }
      let usual = flow.map { Self.folder(ofFlow: $0) + "default.json" }
      let scenario = usual.flatMap { usual in
        whole.flatMap { Loading.scenario(at: usual, for: $0, reader: &shelf).value }
      }
      subjects.append(
        Subject(
          path: path, bytes: bytes, kind: kind, flow: flow, whole: whole, scenario: scenario, documents: documents))
    }
  }

  /// Where the scenarios of a flow are.
  static func folder(ofFlow path: String) -> String { path.dropLast(".json".count) + "/" }

  /// That whose folder it lies in, else the one beside it.
  private static func flow(ofScenario path: String, among flows: [String]) -> String? {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    return flows.first { Self.folder(ofFlow: $0) == folder } ?? flows.first { $0.hasPrefix(folder) }
  }
}

/// Documents as they are; remembers which were read.
private struct Shelf: DocumentReader {
  let documents: [String: [UInt8]]
  var read: Set<String> = []

  mutating func read(_ path: String) -> [UInt8]? {
    read.insert(path)
    return documents[path]
  }

  func size(_ path: String) -> Int { documents[path]?.count ?? 0 }
}
