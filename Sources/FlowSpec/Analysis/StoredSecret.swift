import Expressions

/// A secret of the store: a key, or a field of the rows of a table, which counts as one whatever row it stands in.
struct StoredSecret: Hashable, Comparable {
  /// Index into `Machine.store`.
  let key: Int
  /// Index into the fields of a row; `nil` where the key is no table.
  let field: Int?

  static func < (left: StoredSecret, right: StoredSecret) -> Bool {
    (left.key, left.field ?? 0) < (right.key, right.field ?? 0)
  }
}

extension Machine {
  /// Those of its store, in the order in which they are declared.
  var secrets: [StoredSecret] { store.indices.flatMap { store[$0].secrets(at: $0) } }

  /// The one that is read by these declared names: `["store", "profiles", "refresh"]`.
  func secret(readAs path: [String]) -> StoredSecret? {
    guard path.count > 1, path[0] == "store", let key = store.firstIndex(where: { $0.name == path[1] }) else {
      return nil
    }
    return store[key].secrets(at: key).first { self.path(of: $0) == path }
  }

  /// The declared names by which expressions read it, in whatever row.
  func path(of secret: StoredSecret) -> [String] {
    let key = store[secret.key]
    return ["store", key.name] + (secret.field.map { [key.rowKeepings[$0].field.name] } ?? [])
  }

  /// How it is told of: `refresh`, `profiles[…].refresh`.
  func title(of secret: StoredSecret) -> String {
    let key = store[secret.key]
    return secret.field.map { "\(key.name)[…].\(key.rowKeepings[$0].field.name)" } ?? key.name
  }
}

extension Machine {
  /// The keys of its store with a secret that a request sends whose answer may set it anew, or another of its group, as a
  /// refresh token is; indices into `store`.
  package var keysThatRenew: Set<Int> {
    var keys: Set<Int> = []
    for state in states {
      guard case .request(let request) = state.activity else { continue }
      let set = state.next.flatMap(\.actions).secretsSet.filter { !$0.value.isNothing }.map { store[$0.secret.key] }
      for secret in secrets where request.reads(path(of: secret)) {
        let key = store[secret.key]
        let isOfIt = { (other: Key) in other === key || !Set(other.groups).isDisjoint(with: key.groups) }
        if set.contains(where: isOfIt) { keys.insert(secret.key) }
      }
    }
    return keys
  }
}

extension Key {
  fileprivate func secrets(at index: Int) -> [StoredSecret] {
    guard isTable else { return keeping.field.secret == nil ? [] : [StoredSecret(key: index, field: nil)] }
    return rowKeepings.indices.filter { rowKeepings[$0].field.secret != nil }
      .map { StoredSecret(key: index, field: $0) }
  }
}

extension Place {
  /// Those that stand in it: in a row and in a table as a whole all of its fields.
  var secrets: [StoredSecret] {
    guard isDurable, holdsSecrets else { return [] }
    return isOfTable && field == nil ? declared.secrets(at: key) : [StoredSecret(key: key, field: field)]
  }
}

extension Assignment {
  /// A secret of the store, and what it is set to.
  typealias SetSecret = (secret: StoredSecret, value: ValueTemplate)

  /// The secrets of the store that it sets: those that a whole row does not name, to nothing.
  var secretsSet: [SetSecret] { secretsNamed + secretsLeftOut.map { ($0, .literal(.null)) } }

  /// The same without those that a whole row does not name.
  var secretsNamed: [SetSecret] {
    guard isWrittenRow else { return place.secrets.map { ($0, value) } }
    return place.secrets.compactMap { secret in
      members.first { $0.field == secret.field }.map { (secret, $0.value) }
    }
  }

  /// Those that a whole row does not name, and which are gone then.
  var secretsLeftOut: [StoredSecret] {
    isWrittenRow ? place.secrets.filter { secret in !members.contains { $0.field == secret.field } } : []
  }

  private var isWrittenRow: Bool { if case .object = value { place.isWholeRow } else { false } }
}

extension [Action] {
  /// The secrets of the store that they set, and to what.
  var secretsSet: [Assignment.SetSecret] { flatMap(\.assignments).flatMap(\.secretsSet) }

  /// The secrets of the store that they clear, or set to nothing.
  var secretsEmptied: [StoredSecret] {
    flatMap(\.cleared).flatMap(\.secrets) + secretsSet.filter(\.value.isNothing).map(\.secret)
  }

  /// Whether they set a secret of the store to something.
  func set(_ secret: StoredSecret) -> Bool {
    secretsSet.contains { $0.secret == secret && !$0.value.isNothing }
  }
}

extension RequestSpec {
  /// Whether something that it sends is made of what has these names.
  func reads(_ path: [String], besidesHashes: Bool = false) -> Bool {
    sent.contains { expression in
      expression.reads(path)
        && !(besidesHashes && expression.facts.hashed.contains { $0.withoutOptionals == path.joined(separator: ".") })
    }
  }

  /// Whether it shows what has these names in its headers, as what says who asks.
  func shows(_ path: [String]) -> Bool {
    let values = headers.filter { $0.name != Self.keyHeader }.flatMap(\.value.placed) + [bearer].compactMap(\.self)
    return values.flatMap(\.template.expressions).contains { $0.reads(path) }
  }
}

extension Expression {
  /// Whether it is made of what has these names.
  func reads(_ path: [String]) -> Bool { facts.references.contains { $0.starts(with: path) } }
}
