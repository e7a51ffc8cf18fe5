/// What a machine declares by name, and which of it something uses.
struct Ledger: Sendable {
  enum Family: String, Sendable {
    case key, group, config, event, emit, screen, action, capability, link, flow, end
    case definition = "let"
  }

  struct Name: Sendable, Hashable {
    let family: Family
    let name: String
  }

  struct Entry: Sendable {
    let name: Name
    let site: Site
  }

  private(set) var declared: [Entry] = []
  private var used: Set<Name> = []
  /// Keys that some `set` names.
  private(set) var written: Set<String> = []

  mutating func declare(_ family: Family, _ name: String, at site: Site) {
    declared.append(Entry(name: Name(family: family, name: name), site: site))
  }

  mutating func use(_ family: Family, _ name: String) {
    used.insert(Name(family: family, name: name))
  }

  mutating func write(_ key: String) {
    written.insert(key)
  }

  /// Takes in what another part of the same machine declares and uses.
  mutating func merge(_ other: Ledger) {
    declared += other.declared
    used.formUnion(other.used)
    written.formUnion(other.written)
  }

  func uses(_ family: Family, _ name: String) -> Bool { used.contains(Name(family: family, name: name)) }

  /// What nothing uses.
  var unused: [Entry] { declared.filter { !used.contains($0.name) } }
}
