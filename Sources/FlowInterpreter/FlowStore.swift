import Expressions
import FlowEngine
import FlowSpec
import JSONSyntax

/// What an app keeps from one launch to the next: the `store` of its flow, as bytes for a file or a keychain.
///
/// It holds the real values of secrets: whoever keeps it keeps them safe.
///
/// The next version of the flow takes it too. What that does not declare any more, key or field, is dropped; what is new
/// has its `initial`, and so has a key that stood at its `initial` when it was kept. A value that does not fit, text for
/// an `int` or a word that "one of" has no more, is `StartError.unusableStore`: a key of another type takes another name.
/// A key is renamed by declaring both: the flow's first state sets the new one from the old, and clears that.
public struct FlowStore: Sendable, Hashable {
  /// A JSON object in UTF-8: `format`, `flow`, and `store` with its keys.
  ///
  /// `secret` stands behind them where what is not declared as secret holds something that is, with its place and its
  /// name; `digest` where it holds what `s256` made of a secret.
  public let bytes: [UInt8]

  /// What was kept before; it is looked at when a session starts with it.
  public init(bytes: [UInt8]) { self.bytes = bytes }

  private static let format: Int64 = 1

  package init(_ values: [Value], of flow: Flow) {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("format")
    writer.int(Self.format)
    writer.member("flow", flow.name)
    writer.name("store")
    writer.beginObject()
    for (key, value) in zip(flow.app.store, values) where value != key.initial {
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

  /// The slots of the store; a key that was not kept has its initial value, one that the flow does not know is dropped.
  package func values(for flow: Flow) throws(StartError) -> [Value] {
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
      throw .unusableStore("it has format \(format), and this version knows \(Self.format)")
    }
    guard Loading.isKeptStore(bytes) else { throw damaged() }
    var found = Dictionary(uniqueKeysWithValues: kept.entries.map { ($0.key.text?.string ?? "", $0.value) })
    for kind in KeptMarks.Kind.allCases {
      guard case .map(let written) = members[kind.rawValue] ?? .map(ValueMap()) else { throw damaged() }
      var marks = KeptMarks(kind, written)
      for name in found.keys { found[name] = found[name].map { marks.mark($0, at: name) } }
      guard marks.areUsed else { throw damaged() }
    }
    guard members["flow"]?.text?.string == flow.name else {
      throw .unusableStore("it belongs to flow \"\(members["flow"]?.text?.string ?? "")\", not to \"\(flow.name)\"")
    }
    var values: [Value] = []
    for key in flow.app.store {
      guard let value = found[key.name].map(key.restored) ?? key.initial else {
        throw .unusableStore("what it holds for \"\(key.name)\" does not fit what the flow declares")
      }
      values.append(value)
    }
    return values
  }

  private func damaged(_ what: String? = nil, at range: Range<Int> = 0..<0) -> StartError {
    let place = SourceText(bytes).position(of: range.lowerBound)
    return .unusableStore(
      "it was not written by a session, or is damaged"
        + (what.map { ": \($0) in line \(place.line), column \(place.column)" } ?? ""))
  }
}

extension Key {
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
}

extension ObjectType.Field {
  fileprivate func restored(_ value: Value, initial: Value) -> Value? {
    guard !value.isNull else { return initial }
    return accepted(value)
  }

  /// A value from outside as this field holds it, marked; `nil` when it is of another type, or not one of the words that
  /// are allowed.
  package func accepted(_ value: Value) -> Value? {
    let isTime = type == .timestamp || type == .duration
    var fitted = isTime && value.text != nil ? value.read(as: type) : value
    guard !fitted.isNull || value.isNull, fitted.fit(type) else { return nil }
    if let allowed, let text = fitted.text, !allowed.contains(text.string) { return nil }
    return marked(fitted)
  }
}
