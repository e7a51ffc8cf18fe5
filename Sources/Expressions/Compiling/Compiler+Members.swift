/// A member that was found in a type: how it is read, and what is known of it.
struct Member: Sendable {
  enum Place: Sendable {
    /// That of a field of a variable.
    case slot(Slot)
    /// Below what it is a member of.
    case below(Path.Step.Kind, Range<Int>)
    /// With its name, for the message when it is absent.
    case nowhere(Finder, String)
  }

  var type: ValueType
  var place: Place
  var field: ObjectType.Field?
  var secret: String?

  var isNullable: Bool {
    field?.isNullable == true && !type.isCollection
  }

  /// Where it is found.
  func path(from base: Term, isOptional: Bool, isAsked: Bool, at whole: Range<Int>) -> Path {
    let hidesNull = isOptional && field != nil
    switch place {
    case .slot(let slot): return Path(.slot(slot), startsOptional: hidesNull)
    case .nowhere(let finder, let name):
      let find = finder.run
      if isOptional { return Path(.found(finder), startsOptional: true) }
      let strict = Finder { frame throws(EvaluationError) in
        guard let value = try find(&frame) else { throw .noSuchKey("member \"\(name)\"", at: whole) }
        return value
      }
      return Path(.found(strict))
    case .below(let kind, let range):
      let step = Path.Step(
        kind: kind, range: range, isOptional: isOptional, isAsked: isAsked, hidesNull: hidesNull, whole: whole)
      return (base.path.flatMap(\.open) ?? Path(.found(base.held), startsOptional: true)).appending(step)
    }
  }
}

extension Compiler {
  /// Finds a member by name.
  mutating func member(_ name: SyntaxNode.Name, of base: Term, isOptional: Bool) -> Member {
    let range = base.range.lowerBound..<name.range.upperBound
    let text = name.text
    if let root = base.root, case .object(let object) = base.type {
      guard let slot = object.index(of: text) else { return unknownField(name, in: object) }
      note(Slot(root: root, index: slot))
      return declared(object.fields[slot], at: .slot(Slot(root: root, index: slot)))
    }
    let type = base.type.held
    switch type {
    case .object(let object):
      guard let slot = object.index(of: text) else { return unknownField(name, in: object) }
      return declared(object.fields[slot], at: .below(.field(text, slot), range))
    case .map(let key, let value):
      if !key.isCompatible(with: .string) {
        mismatch("a map with keys of \(key.title) has no fields", at: name.range, label: "no field")
      }
      return dynamic(value, text, base, isStrict: true, at: range)
    case .dyn: return dynamic(.dyn, text, base, isStrict: !isOptional, at: range)
    default:
      mismatch(
        "\(type.title) has no fields", at: name.range, label: "no field of \(type.title)",
        help: ForeignWords.help(forFunction: text))
      return dynamic(.dyn, text, base, isStrict: !isOptional, at: range)
    }
  }

  private func declared(_ field: ObjectType.Field, at place: Member.Place) -> Member {
    Member(
      type: field.type, place: place, field: field, secret: field.secret ?? field.type.secretInside)
  }

  private func dynamic(
    _ type: ValueType, _ name: String, _ base: Term, isStrict: Bool, at range: Range<Int>
  ) -> Member {
    let secret = type.carriesText ? base.secret : nil
    if let token = base.token?.run {
      // Of a token only one member is looked at, and the others are not made.
      let sought = SoughtName(name)
      let claim = Finder { frame throws(EvaluationError) in
        try JSONWebToken.claim(sought, of: token(&frame), isStrict: isStrict, at: range)
      }
      return Member(type: type, place: .nowhere(claim, name), secret: secret)
    }
    return Member(type: type, place: .below(.member(name, isStrict: isStrict), range), secret: secret)
  }

  private mutating func unknownField(_ name: SyntaxNode.Name, in object: ObjectType) -> Member {
    let scope = scope
    let broken = fail(
      "unknown-field", "\(object.title) has no field \"\(name.text)\"", at: name.range, label: "unknown field",
      help: scope.help(for: name.text, lackingIn: object))
    let run = broken.run
    let find = Finder { frame throws(EvaluationError) in try run(&frame) }
    return Member(type: .dyn, place: .nowhere(find, name.text))
  }

  /// Finds an entry by index or key.
  mutating func element(_ key: Term, of base: Term, isOptional: Bool, at range: Range<Int>) -> Member {
    let type = base.type.held
    var result = ValueType.dyn
    switch type {
    case .list(let element):
      result = element
      if !key.type.isCompatible(with: .int) {
        mismatch(
          "a list is indexed by int, not by \(key.type.title)", at: key.range, label: key.type.title,
          help: Self.optionalHelp(key))
      }
    case .map(let mapKey, let value):
      result = value
      if !key.type.isCompatible(with: mapKey) {
        mismatch(
          "the keys of this map are \(mapKey.title), not \(key.type.title)", at: key.range, label: key.type.title,
          help: Self.optionalHelp(key))
      }
    case .dyn where key.type.shape.isDisjoint(with: [.key, .double]):
      mismatch(
        "\(key.type.title) is neither the key of a map nor the index of a list", at: key.range, label: key.type.title,
        help: Self.optionalHelp(key))
    case .dyn, .object: break
    default: mismatch("\(type.title) has no entries", at: base.range, label: type.title)
    }
    return Member(
      type: result, place: .below(.entry(Maker(run: key.run), isStrict: !isOptional, written: text(range)), range),
      secret: result.carriesText ? result.secretInside ?? base.secret : nil)
  }
}

extension Scope {
  /// What may be meant by the name of a field that an object lacks.
  fileprivate func help(for name: String, lackingIn object: ObjectType) -> String {
    let names = object.fields.map(\.name)
    return elsewhere(name, butIn: object) ?? suggestion(for: name, among: names)
      ?? (names.isEmpty
        ? "\(object.title) has no fields at all: declare it first"
        : "its fields: " + names.prefix(12).joined(separator: ", "))
  }

  /// What the name is where the author may have meant another variable: a key of memory is none of the store.
  private func elsewhere(_ name: String, butIn object: ObjectType) -> String? {
    let places = ["store", "memory", "config"]
    guard places.contains(object.title) else { return nil }
    let other = variables.first { variable in
      guard places.contains(variable.name), case .object(let fields) = variable.type else { return false }
      return fields.index(of: name) != nil
    }
    return other.map { "did you mean \"\($0.name).\(name)\"?" }
  }
}

extension ValueType {
  /// The type under an optional.
  fileprivate var held: ValueType {
    if case .optional(let wrapped) = self { return wrapped }
    return self
  }
}
