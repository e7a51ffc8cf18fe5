import FlowSpec
import JSONSyntax

/// Reads documents from files, each once.
struct Documents: DocumentReader {
  private var known: [ScalarString: [UInt8]] = [:]
  /// What was found out of these: to parse a document of megabytes takes a while.
  private var kinds: [ScalarString: DocumentKind?] = [:]
  /// What was read of what is being loaded, by the path under which it was read first.
  private var loading: Set<ScalarString> = []
  /// Of what is being loaded, the first document that is there and cannot be read.
  private var unreadable: Failure?
  /// What a person named, which may be a pipe; what is found by name may not.
  private let operands: Set<String>

  init(named operands: [String] = []) { self.operands = Set(operands) }

  /// The shortest that leads to the same place: behind a link `..` is another folder than it reads.
  func name(ofPath path: String) -> String {
    let short = Paths.withoutDetours(path)
    if short == path { return path }
    return Files.real(Paths.folder(of: short)) == Files.real(Paths.folder(of: path)) ? short : path
  }

  mutating func read(_ path: String) -> [UInt8]? {
    do throws(Failure) {
      let bytes = try bytes(at: path)
      loading.insert(ScalarString(path))
      return bytes
    } catch {
      if Files.isTaken(path), Files.kind(of: path) != .folder, unreadable == nil { unreadable = error }
      return nil
    }
  }

  private mutating func bytes(at path: String) throws(Failure) -> [UInt8] {
    let key = ScalarString(path)
    if let bytes = known[key] { return bytes }
    let bytes = try Files.read(path, acceptsPipe: operands.contains(path))
    known[key] = bytes
    return bytes
  }

  func isFolder(_ path: String) -> Bool { Files.kind(of: path) == .folder }

  /// What a function loads; throws where something that it needs is there and cannot be read.
  mutating func loaded<Value>(
    _ load: (inout Documents) -> Checked<Value>
  ) throws(Failure) -> Checked<Value> {
    (unreadable, loading) = (nil, [])
    let checked = load(&self)
    if let unreadable { throw unreadable }
    return checked
  }

  /// The services among what was read for what was loaded last.
  mutating func servicesOfLastLoad() -> [String] {
    loading.map(\.string).filter { (try? kind(of: $0)) == .service }
  }

  func neighbours(of path: String) -> [String] {
    let folder = Paths.folder(of: path)
    let names = (try? Files.names(in: folder)) ?? []
    let paths = names.filter { $0.hasSuffix(".json") }.map { Paths.joined(folder, $0) }
    return paths.filter { Files.kind(of: $0) == .file }
  }

  /// What an author wrote is not replaced by what a run writes.
  mutating func refuseToReplace(_ path: String, for option: Option) throws(Failure) {
    guard let what = try kept(at: path), what != "store" || option.name != Option.store.name else { return }
    throw Failure(
      .usage, "\(option.name) would replace the \(what) \(path)", help: "give it a file of its own")
  }

  /// What stands there, or will when it is accepted; `nil` for what may be replaced.
  private mutating func kept(at path: String) throws(Failure) -> String? {
    if [path, Files.place(of: path)].contains(where: { ScenarioFolder.isGolden($0) && ScenarioFolder.hasFlow($0) }) {
      return "golden"
    }
    guard Files.kind(of: path) == .file else { return nil }
    if try kind(of: path) != nil { return "document" }
    return try isKeptStore(path) ? "store" : nil
  }

  /// Whether it is what a session has kept, which is no document and not to be shown.
  mutating func isKeptStore(_ path: String) throws(Failure) -> Bool {
    guard try kind(of: path) == nil else { return false }
    return Loading.isKeptStore(try bytes(at: path))
  }

  /// Whether it can be read and is no JSON.
  mutating func isBroken(_ path: String) -> Bool {
    read(path).map { (try? JSONParser.parse($0, as: .document)) == nil } == true
  }

  /// `nil` for what is neither a flow nor a service nor a scenario.
  mutating func kind(of path: String) throws(Failure) -> DocumentKind? {
    let key = ScalarString(path)
    if let kind = kinds[key] { return kind }
    let kind = Loading.kind(of: try bytes(at: path))
    kinds[key] = kind
    return kind
  }
}
