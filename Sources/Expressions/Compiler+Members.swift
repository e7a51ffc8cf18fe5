/// A member that was found in a type: how it is read, and what is known of it.
struct Member: Sendable {
  /// `nil` where there is no such member when it runs.
  typealias Finder = @Sendable (inout Frame) throws(EvaluationError) -> Value?

  var type: ValueType
  var find: Finder
  /// Where it stands when it is a field of a variable.
  var slot: Slot?
  /// For the message when it is absent; `nil` for an index.
  var name: String?
  var field: ObjectType.Field?
  var secret: String?

  var isNullable: Bool {
    guard let field, field.isNullable else { return false }
    return type != .dyn && !type.isCollection
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
      var member = declared(object.fields[slot]) { frame in frame.roots[root][slot] }
      member.slot = Slot(root: root, index: slot)
      return member
    }
    let held = base.held.run
    let type = base.type.held
    switch type {
    case .object(let object):
      guard let slot = object.index(of: text) else { return unknownField(name, in: object) }
      return declared(object.fields[slot]) { frame throws(EvaluationError) in
        guard let value = try held(&frame) else { return nil }
        return try value.field(text, slot, at: range)
      }
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

  private func declared(_ field: ObjectType.Field, _ find: @escaping Member.Finder) -> Member {
    Member(
      type: field.type, find: find, name: field.name, field: field, secret: field.secret ?? field.type.secretInside)
  }

  private func dynamic(
    _ type: ValueType, _ name: String, _ base: Term, isStrict: Bool, at range: Range<Int>
  ) -> Member {
    let held = base.held.run
    let find: Member.Finder = { frame throws(EvaluationError) in
      guard let value = try held(&frame) else { return nil }
      if case .map(let map) = value { return map[name] }
      if isStrict { throw .noOverload("the selection of a field", value, at: range) }
      return nil
    }
    return Member(type: type, find: find, name: name, secret: type.carriesText ? base.secret : nil)
  }

  private mutating func unknownField(_ name: SyntaxNode.Name, in object: ObjectType) -> Member {
    let names = object.fields.map(\.name)
    let nearest = nearestName(to: name.text, among: names)
    let broken = fail(
      "unknown-field", "\(object.title) has no field \"\(name.text)\"", at: name.range, label: "unknown field",
      help: nearest.map { "did you mean \"\($0)\"?" }
        ?? (names.isEmpty ? nil : "its fields: " + names.prefix(12).joined(separator: ", ")))
    let run = broken.run
    let find: Member.Finder = { frame throws(EvaluationError) in try run(&frame) }
    return Member(type: .dyn, find: find, name: name.text)
  }

  /// Finds an entry by index or key.
  mutating func element(_ key: Term, of base: Term, isOptional: Bool, at range: Range<Int>) -> Member {
    let type = base.type.held
    var result = ValueType.dyn
    switch type {
    case .list(let element):
      result = element
      if !key.type.isCompatible(with: .int) {
        mismatch("a list is indexed by int, not by \(key.type.title)", at: key.range, label: key.type.title)
      }
    case .map(let mapKey, let value):
      result = value
      if !key.type.isCompatible(with: mapKey) {
        mismatch(
          "the keys of this map are \(mapKey.title), not \(key.type.title)", at: key.range, label: key.type.title)
      }
    case .dyn, .object: break
    default: mismatch("\(type.title) has no entries", at: base.range, label: type.title)
    }
    let (held, keyRun) = (base.held.run, key.run)
    let isStrict = !isOptional
    let find: Member.Finder = { frame throws(EvaluationError) in
      let value = try held(&frame)
      let key = try keyRun(&frame)
      guard let value else { return nil }
      return try value.entry(key, isStrict: isStrict, at: range)
    }
    return Member(type: result, find: find, secret: result.carriesText ? result.secretInside ?? base.secret : nil)
  }
}

extension ValueType {
  /// The type under an optional.
  fileprivate var held: ValueType {
    if case .optional(let wrapped) = self { return wrapped }
    return self
  }
}

extension Value {
  /// A declared field of a row, which stands in its place.
  func field(_ name: String, _ slot: Int, at range: Range<Int>) throws(EvaluationError) -> Value? {
    guard case .map(let map) = self else { throw .noOverload("the selection of a field", self, at: range) }
    guard let index = map.index(of: name, near: slot) else { return .null }
    return map.entries[index].value
  }

  /// `nil` where there is no such entry; an error where there can be none.
  func entry(_ key: Value, isStrict: Bool, at range: Range<Int>) throws(EvaluationError) -> Value? {
    switch (self, key) {
    case (.map(let map), _): return map.value(at: key)
    case (.list(let elements), .int(let index)):
      return Int(exactly: index).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
    case (.list, .double(let number)):
      guard let whole = number.wholeNumber else { return nil }
      return try entry(.int(whole), isStrict: isStrict, at: range)
    default:
      if isStrict { throw .noOverload("an index", self, key, at: range) }
      return nil
    }
  }
}
