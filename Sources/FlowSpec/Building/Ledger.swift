/// What a machine declares by name, and which of it something uses.
struct Ledger: Sendable {
  enum Family: String, Sendable {
    case key, group, config, event, emit, screen, action, capability, link, flow, end
    case definition = "let"
  }

  struct Name: Sendable {
    let family: Family
    let name: String
  }

  struct Entry: Sendable {
    let name: Name
    let site: Site
  }

  private(set) var declared: [Entry] = []
  private var used: [Family: Set<String>] = [:]
  /// Keys that some `set` gives a value, and keys that some expression reads, but for what that key itself is set to.
  var (written, read): (Set<String>, Set<String>) = ([], [])
  /// Keys that are read for what they are set to.
  var readForThemselves: Set<String> = []
  /// Fields of each event that some expression reads where it is heard.
  var readFields: [String: Set<String>] = [:]
  /// What of a service's answers is put into something secret, by the name that it has there.
  var secretAnswers: [(service: Destination, name: SecretName)] = []

  mutating func declare(_ family: Family, _ name: String, at site: Site) {
    declared.append(Entry(name: Name(family: family, name: name), site: site))
  }

  mutating func use(_ family: Family, _ name: String) {
    used[family, default: []].insert(name)
  }

  /// Takes in what another part of the same machine declares and uses.
  mutating func merge(_ other: Ledger) {
    declared += other.declared
    used.merge(other.used) { $0.union($1) }
    written.formUnion(other.written)
    read.formUnion(other.read)
    readForThemselves.formUnion(other.readForThemselves)
    readFields.merge(other.readFields) { $0.union($1) }
  }

  /// The names of one family that are used.
  func used(_ family: Family) -> Set<String> { used[family] ?? [] }

  /// What nothing uses.
  var unused: [Entry] { declared.filter { used[$0.name.family]?.contains($0.name.name) != true } }
}
