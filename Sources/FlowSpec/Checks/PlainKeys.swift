import Expressions

extension Check {
  /// Secrets that the app stores under a key, or tells a screen or a listener in a field, that is not secret: whoever
  /// builds it keeps and logs that where others may look.
  ///
  /// What is made of a secret, as a hash or a claim of a token, need not be one.
  static let secretsInPlainKeys: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let kept = examined.plainlyGiven.compactMap { given in
      given.value.secret.map { (name: $0.name, given: given, site: $0.site) }
    }
    let secrets = kept + examined.plainlyAnswered
    let found = secrets.filter(\.given.isPlainKey).map { secretInPlainKey($0, $1, at: $2) }
    return found + examined.plainlyCarried(secrets).map(carriedSecret) + examined.plainVerifiers
  }

  private static func carriedSecret(_ carried: CarriedSecret) -> Diagnostic {
    let put = (site: carried.site, label: "is put into \"\(carried.key)\" here")
    return secretInPlainKey(
      carried.name, carried.given, at: carried.givenSite, "comes from \"\(carried.key)\"", related: put)
  }

  private static func secretInPlainKey(
    _ name: String, _ given: PlainlyGiven, at site: Site, _ label: String = "is secret",
    related: (site: Site, label: String)? = nil
  ) -> Diagnostic {
    let field = "\"\(given.field.name)\""
    return Diagnostic(
      "secret-in-plain-key", severity: .warning, "the secret \"\(name)\" \(given.words), which is not secret",
      at: site, label,
      help: given.to == nil
        ? "add \"secret\": true to \(field), so that the app keeps it as it keeps other secrets"
        : "add \"secret\": true to the field \(field), so that the app logs it no more than other secrets",
      related: related)
  }
}

/// A secret that comes to something plain by way of plain keys of the memory.
private struct CarriedSecret {
  let name: String
  /// The first of the keys, as expressions name it, and where the secret is put there.
  let key: String
  let site: Site
  /// Where it comes to in the end, and where that is written.
  let given: PlainlyGiven
  let givenSite: Site
}

/// Keys of the memory that are only ever set to a secret.
private struct Holders {
  typealias Origin = (name: String, key: String, site: Site)

  private let all: [PlainlyGiven]
  /// Which of all hand on a key, by its name.
  private var handing: [String: [Int]] = [:]
  /// How many of those that set a key are not known to set it to a secret.
  private var others: [String: Int] = [:]
  private var isKnown: Set<Int> = []
  private var origins: [String: Origin] = [:]

  init(settingKeysOf all: [PlainlyGiven]) {
    self.all = all
    for (index, given) in all.enumerated() {
      guard let key = given.memoryKey else { continue }
      others[key, default: 0] += 1
      for name in Set(given.value.placed.flatMap(\.keysHandedOn)) { handing[name, default: []].append(index) }
    }
  }

  var isEmpty: Bool { origins.isEmpty }

  /// Where the secret comes from that a key always holds; `nil` where it may hold something else.
  subscript(key: String) -> Origin? { others[key] == 0 ? origins[key] : nil }

  /// One of all sets its key to a secret, and so do those that hand on a key that is never set to anything else.
  mutating func sets(_ index: Int, _ origin: Origin) {
    var pending = [(index, origin)]
    while let (index, origin) = pending.popLast() {
      guard let key = all[index].memoryKey, isKnown.insert(index).inserted else { continue }
      others[key, default: 0] -= 1
      if origins[key] == nil { origins[key] = origin }
      guard let origin = self[key] else { continue }
      pending += (handing[key] ?? []).map { ($0, origin) }
    }
  }
}

extension PlacedTemplate {
  /// Names of what it hands on as it is, as places have them.
  fileprivate var keysHandedOn: [String] { template.expressions.flatMap(\.handedOn).map(\.withoutOptionals) }
}

extension Template {
  fileprivate var handsOnWholeAnswer: Bool {
    expressions.contains { $0.handedOn.contains { ["response.json", "response.text"].contains($0) } }
  }
}

extension [Transition] {
  /// The member of a good answer that one of them puts into something secret, where such an answer may come to this one, too.
  fileprivate func secretTaken(beside transition: Transition) -> String? {
    [200, 201].lazy.map { mayTake(status: $0) }.filter { $0.contains { $0 === transition } }.joined()
      .flatMap(\.actions).flatMap(\.assignments).lazy.compactMap(\.secretAnswered).first
  }
}

extension Examined {
  fileprivate var plainlyGiven: [PlainlyGiven] { actions.flatMap { $0.plainlyGiven(in: machine) } }

  /// What is handed on as it is of a plain key of the memory that is only ever set to one of these secrets, itself or from
  /// another such key.
  ///
  /// A key that is set to something else, too, may hold that where it is handed on.
  fileprivate func plainlyCarried(
    _ secrets: [(name: String, given: PlainlyGiven, site: Site)]
  ) -> [CarriedSecret] {
    let told = Dictionary(secrets.map { ($0.site, $0.name) }) { first, _ in first }
    let all = plainlyGiven.filter { !$0.value.isNothing }
    var holders = Holders(settingKeysOf: all)
    for (index, given) in all.enumerated() where given.memoryKey != nil {
      guard let placed = given.value.placed.first(where: { told[$0.site] != nil }), let name = told[placed.site]
      else { continue }
      holders.sets(index, (name, given.memoryKey ?? "", placed.site))
    }
    if holders.isEmpty { return [] }
    return all.filter(\.isPlainKey).flatMap { given in
      given.value.placed.filter { told[$0.site] == nil }.compactMap { placed in
        placed.keysHandedOn.lazy.compactMap { holders[$0] }.first.map {
          CarriedSecret(name: $0.name, key: $0.key, site: $0.site, given: given, givenSite: placed.site)
        }
      }
    }
  }

  /// Secrets of an answer that the app hands on as they are, to what is not secret, and where each is written.
  var plainlyAnswered: [(name: String, given: PlainlyGiven, site: Site)] {
    var known = KnownAnswers()
    return machine.states.flatMap { state -> [(name: String, given: PlainlyGiven, site: Site)] in
      guard case .request(let request) = state.activity else { return [] }
      let secrets = secrets(of: request.to)
      lazy var inWhole = surelyAsks(request).flatMap { model, route in
        known.members(of: route, in: model).names.first { secrets.marks($0, in: .json) }
      }
      func secret(in placed: PlacedTemplate, _ transition: Transition?) -> String? {
        if let name = placed.template.answered.first(where: { secrets.marks($0.name, in: $0.part) })?.name {
          return name
        }
        guard placed.template.handsOnWholeAnswer else { return nil }
        // A whole answer holds each secret that its model puts into one, and what the app itself takes for one.
        return inWhole ?? transition.flatMap { state.next.secretTaken(beside: $0) }
      }
      let lists = state.next.map { ($0.actions, Optional($0)) } + [(request.retry?.actions ?? [], nil)]
      return lists.flatMap { actions, transition in
        actions.flatMap { $0.plainlyGiven(in: machine) }.flatMap { given in
          given.value.placed.compactMap { placed in secret(in: placed, transition).map { ($0, given, placed.site) } }
        }
      }
    }
  }

  /// Keys of the store of which a hash is sent as a code challenge, and that are not secret: whoever reads a verifier can
  /// redeem the code (RFC 7636).
  fileprivate var plainVerifiers: [Diagnostic] {
    let sent = visits.flatMap { visit -> [FieldValue] in
      guard case .form(let fields) = visit.request?.body else { return visit.query }
      return visit.query + fields
    }
    var told: Set<String> = []
    return sent.filter { $0.name == "code_challenge" }.flatMap(\.value.placed).flatMap { placed -> [Diagnostic] in
      placed.template.expressions.flatMap(\.facts.hashed).compactMap { hashed in
        guard let (key, field, title) = keyOrField(hashed), field.secret == nil, field.type.mayBeSecret,
          told.insert(title).inserted
        else { return nil }
        return Diagnostic(
          "secret-in-plain-key", severity: .warning,
          "the PKCE verifier is stored in \"\(title)\", which is not secret", at: key.site, "is the verifier",
          help: "add \"secret\": true to \"\(title)\", so that the app keeps it as it keeps other secrets",
          related: (placed.site, "sends the hash of it"))
      }
    }
  }

  /// The key of the store, or the field of its rows, that a selection reads; `nil` for a row, and a table as a whole.
  private func keyOrField(_ selection: String) -> (key: Key, field: ObjectType.Field, title: String)? {
    let parts = MemberPath(selection, below: "store")?.parts ?? []
    guard case .member(let name)? = parts.first, let key = machine.store.first(where: { $0.name == name }) else {
      return nil
    }
    guard key.isTable else { return (key, key.field, name) }
    guard parts.count > 2, case .member(let inner) = parts[2],
      let field = key.rowKeepings.map(\.field).first(where: { $0.name == inner })
    else { return nil }
    return (key, field, "\(name)[…].\(inner)")
  }
}

/// What is stored, or told to a screen or a listener, as something that is not secret.
struct PlainlyGiven {
  let field: ObjectType.Field
  let value: ValueTemplate
  /// Who is told, `nil` where it is stored.
  let to: String?
  /// Whether it is stored no longer than the app runs, and in which key then, as expressions name it; `nil` for rows.
  let isInMemory: Bool
  let memoryKey: String?

  /// Whether whoever builds the app keeps or logs it, and could be told not to.
  var isPlainKey: Bool { field.type.mayBeSecret && !isInMemory }

  /// What becomes of it, for a message.
  var words: String { "\(to.map { "is told to \($0) in" } ?? "is stored in") \"\(field.name)\"" }
}

extension Action {
  fileprivate func plainlyGiven(in machine: Machine) -> [PlainlyGiven] {
    let stored = assignments.flatMap { assignment in
      assignment.given.map {
        PlainlyGiven(
          field: $0.field, value: $0.value, to: nil, isInMemory: !assignment.place.isDurable,
          memoryKey: assignment.place.isDurable ? nil : assignment.place.nameOfValue)
      }
    }
    return (stored + told(in: machine)).filter { $0.field.secret == nil }
  }

  private func told(in machine: Machine) -> [PlainlyGiven] {
    let (to, values): (String, [FieldValue])
    switch kind {
    case .emit(let index, let fields): (to, values) = ("the listeners of \"\(machine.emits[index].title)\"", fields)
    case .show(let screen, let fields): (to, values) = ("the screen \"\(screen)\"", fields)
    case .set, .clear, .open, .close, .send: return []
    }
    return values.compactMap { value in
      value.declared.map { PlainlyGiven(field: $0, value: value.value, to: to, isInMemory: false, memoryKey: nil) }
    }
  }
}

extension Assignment {
  /// The member of an answer that is put as it is into something secret.
  fileprivate var secretAnswered: String? {
    let names = given.filter { $0.field.secret != nil }.flatMap(\.value.placed).flatMap(\.template.answered)
    return names.first { $0.part == .json }?.name
  }

  /// The key or the field of a row, and what is stored there.
  typealias Stored = (field: ObjectType.Field, value: ValueTemplate)

  /// What it stores.
  var stored: [Stored] { place.isDurable ? given : [] }

  /// The same of any key, of memory too.
  fileprivate var given: [Stored] {
    place.isWholeRow
      ? members.map { (place.declared.rowKeepings[$0.field].field, $0.value) } : [(place.keeping.field, value)]
  }
}

extension ValueType {
  /// Whether what holds it may say `"secret": true`.
  var mayBeSecret: Bool {
    switch self {
    case .string, .dyn, .list, .map: true
    case .null, .bool, .int, .double, .timestamp, .duration, .object: false
    case .optional(let inner): inner.mayBeSecret
    }
  }
}
