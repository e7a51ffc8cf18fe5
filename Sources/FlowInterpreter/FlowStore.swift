import Expressions
import FlowEngine
import FlowSpec
import JSONSyntax

/// What an app keeps from one launch to the next: the `store` of its flow, as bytes for a file or a keychain.
///
/// It holds the real values of secrets: whoever keeps it keeps them safe.
///
/// The next version of the flow takes it too. What that does not declare any more, key or field, is dropped, and
/// `FlowSession.dropped` names it; what is new or was unset has its `initial`. Values that do not fit, text for an `int`
/// or a word that "one of" has no more, are `StartError.unusableStore`: a key of another type takes another name. A key is
/// renamed by declaring both: the flow's first state sets the new one from the old, and that to null. Somebody may skip
/// versions: what an older one has kept stays declared as long as there may be an installation with it.
public struct FlowStore: Sendable, Hashable {
  /// A JSON object in UTF-8: `format`, `flow`, and `store` with its keys.
  ///
  /// `secret` stands behind them where what is not declared as secret holds something that is, with its place and its
  /// name; `digest` where it holds what `s256` made of a secret, and `fresh` where it holds what nobody could guess.
  public let bytes: [UInt8]

  /// What was kept before; it is looked at when a session starts with it.
  public init(bytes: [UInt8]) { self.bytes = bytes }

  static let format: Int64 = 1

  package init(_ values: [Value], of flow: Flow) {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("format")
    writer.int(Self.format)
    writer.member("flow", flow.name)
    writer.name("store")
    writer.beginObject()
    // One that stands at its `initial` too: the next version of the flow may have another.
    for (key, value) in zip(flow.app.store, values) where !value.isNull {
      writer.name(key.name)
      writer.write(value)
    }
    writer.endObject()
    for kind in KeptMarks.Kind.allCases {
      let marked = zip(flow.app.store, values).flatMap { KeptMarks.undeclared(kind, in: $1, of: $0) }
      guard !marked.isEmpty else { continue }
      writer.name(kind.rawValue)
      writer.beginObject()
      for (place, text) in marked {
        writer.name(place)
        kind.write(text, to: &writer)
      }
      writer.endObject()
    }
    writer.endObject()
    bytes = writer.bytes
  }

  /// The slots of the store, where a key that was not kept has its initial value; and names of what the flow does not
  /// declare, fields of rows as `notes.text`.
  package func restored(for flow: Flow) throws(StartError) -> (values: [Value], dropped: [String]) {
    let root: JSONNode
    // The code alone: the message may quote what stands there.
    do throws(JSONSyntaxError) { root = try Loading.keptStore(bytes) } catch {
      throw damaged(error.code, at: error.range)
    }
    if let twice = root.duplicateMembers().first { throw damaged("duplicate-member", at: twice.again) }
    guard case .map(let members) = Value(body: root), case .map(let kept)? = members["store"],
      case .int(let format)? = members["format"]
    else { throw damaged() }
    guard format == Self.format else {
      throw .unusableStore(.unknownFormat(format))
    }
    guard Loading.isKeptStore(bytes) else { throw damaged() }
    var found = Dictionary(kept.entries.map { ($0.key.text?.string ?? "", $0.value) }, uniquingKeysWith: { $1 })
    // Strings may be equal that are of other characters.
    guard found.count == kept.count else { throw damaged() }
    for kind in KeptMarks.Kind.allCases {
      guard case .map(let written) = members[kind.rawValue] ?? .map(ValueMap()) else { throw damaged() }
      var marks = KeptMarks(kind, written)
      for name in found.keys { found[name] = found[name].map { marks.mark($0, at: name) } }
      guard marks.areUsed else { throw damaged() }
    }
    guard members["flow"]?.text?.string == flow.name else {
      throw .unusableStore(.ofFlow(members["flow"]?.text?.string ?? "", not: flow.name))
    }
    let keys = flow.app.store
    let values = keys.map { key in found[key.name].map(key.restored) ?? key.initial }
    let misfits = zip(keys, values).filter { $1 == nil }
      .map { key, _ in key.problem(holding: found[key.name] ?? .null) }
    guard misfits.isEmpty else { throw .unusableStore(.misfit(misfits)) }
    let dropped = Set(found.keys).subtracting(keys.map(\.name))
      .union(keys.flatMap { key in found[key.name].map(key.undeclaredFields) ?? [] })
    return (values.compactMap(\.self), dropped.sorted())
  }

  private func damaged(_ what: String? = nil, at range: Range<Int> = 0..<0) -> StartError {
    let place = SourceText(bytes).position(of: range.lowerBound)
    return .unusableStore(.damaged(at: what.map { "\($0) in line \(place.line), column \(place.column)" }))
  }
}

extension FlowStore {
  /// What it holds by key, as a session of this flow that begins with it has it: a token for requests of the app's own, say.
  ///
  /// They are all that the flow declares, null where nothing was kept and there is no `initial`.
  /// - Throws: `StartError.unusableStore` where no session can begin with it.
  public func fields(of flow: CheckedFlow) throws(StartError) -> FlowFields {
    let values = try restored(for: flow.flow).values
    return FlowFields(
      zip(flow.flow.app.store, values).map { NamedValue(name: $0.name, value: $1) }, declared: flow.interface.store,
      secretUnder: flow.flow.secretMembers)
  }
}

extension FlowStore: CustomStringConvertible, CustomReflectable {
  /// How large it is, without anything that might be secret.
  public var description: String { "a store of \(bytes.count) bytes" }

  /// Nothing but its `description`.
  public var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}

extension Key {
  /// Its name, for a table that of the field which does not fit, with the words that it may be, unless these are secret.
  fileprivate func problem(holding value: Value) -> StoreProblem.Misfit {
    let misfit = misfit(in: value)
    return StoreProblem.Misfit(
      misfit.map { "\(name).\($0.name)" } ?? name,
      allowed: (misfit ?? field).secret != nil ? nil : (misfit ?? field).allowed)
  }

  /// The field of a table in which some row has a value of another type; `nil` where it is no table, or the rows are none.
  private func misfit(in value: Value) -> ObjectType.Field? {
    guard isTable, case .map(let rows) = value else { return nil }
    return rowKeepings.first { keeping in
      rows.entries.contains { row in
        guard case .map(let fields) = row.value else { return false }
        return keeping.field.restored(fields[keeping.field.name] ?? .null, initial: keeping.initial.value) == nil
      }
    }?.field
  }

  /// `nil` for a value of another type.
  fileprivate func restored(_ value: Value) -> Value? {
    guard isTable else { return field.restored(value, initial: initial) }
    guard case .map(let rows) = value else { return nil }
    var restored = ValueMap()
    for entry in rows.entries {
      guard case .map(let fields) = entry.value else { return nil }
      var complete = ValueMap()
      for keeping in rowKeepings {
        let (field, initial) = (keeping.field, keeping.initial.value)
        guard let value = field.restored(fields[field.name] ?? .null, initial: initial) else { return nil }
        complete[field.name] = value
      }
      restored[entry.key] = .map(complete)
    }
    return .map(restored)
  }

  /// What rows have beside the fields of this table; what was no table before may have had any names, secret ones too.
  fileprivate func undeclaredFields(in rows: Value) -> [String] {
    guard let rowType, case .map(let rows) = rows else { return [] }
    return rows.entries.flatMap { row in
      guard case .map(let fields) = row.value else { return [String]() }
      return fields.entries.compactMap { $0.key.text?.string }.filter { rowType.index(of: $0) == nil }
    }.map { $0.mayBeChosen ? "\(name).\($0)" : "\(name).\(hiddenText)" }
  }
}

extension ObjectType.Field {
  fileprivate func restored(_ value: Value, initial: Value) -> Value? {
    guard !value.isNull else { return initial }
    return accepted(value).map { $0.isNull ? initial : $0 }
  }

  /// A value from outside as this field holds it, marked; `nil` when it is of another type, or not one of the words that
  /// are allowed.
  package func accepted(_ value: Value) -> Value? {
    let isTime = type == .timestamp || type == .duration
    var fitted = isTime && value.text != nil ? value.read(as: type) : value
    if type == .int { fitted = fitted.wholeNumber ?? fitted }
    guard !fitted.isNull || value.isNull, fitted.fit(type) else { return nil }
    if let text = fitted.text, !allows(text) { return nil }
    return marked(fitted)
  }

  /// The same of what is given a value, and never left without one: null is a value only where any JSON is.
  package func given(_ value: Value) -> Value? { accepted(value).flatMap { $0.isNull && type != .dyn ? nil : $0 } }
}
