import Expressions
import FlowSpec
import JSONSyntax

/// What a person has given that is not what examples give, without what is secret in it.
extension Retelling {
  /// The fields of a form with the marks that they get where it is sent.
  func marked(_ fields: [Value], of form: ShownPage.Form, on page: ShownPage) -> [Value] {
    var entries = zip(form.fields.fields, fields).map { NamedValue(name: $0.name, value: $1) }
    world.mark(&entries, of: form, on: page)
    return entries.map(\.value)
  }

  /// The fields that differ from their examples, as a JSON object; `nil` where none does.
  mutating func given(_ values: [Value], of type: ObjectType, else examples: [Value]) -> String? {
    var members: [(name: String, json: String)] = []
    for (index, field) in type.fields.enumerated() where index < values.count {
      let example = index < examples.count ? examples[index] : .null
      guard !values[index].celEquals(example) else { continue }
      let isSecret = field.secret != nil
      // A word of a few says which of them it was, and a number or a bool has no text that could stand for it.
      if isSecret, field.allowed != nil || values[index].holdsOtherThanText {
        hasGap = true
      } else {
        members.append((field.name, hidden(field.marked(values[index]), named: field.name).asTemplateJSON))
      }
    }
    return members.isEmpty ? nil : object(members)
  }

  /// The same for the same: what a person types as a secret is not written into any file.
  private mutating func standIn(for typed: String, named name: String) -> String {
    if let known = standIns.first(where: { $0.typed == typed }) { return known.standIn }
    let standIn = "\(name)-\(standIns.count + 1)"
    standIns.append((typed, standIn))
    return standIn
  }

  /// What was typed as a secret does not stand where it was typed once more either: as a whole, or in a text that is long
  /// enough for that to be no chance.
  mutating func hideWhatWasTyped() {
    for (typed, standIn) in standIns {
      let (quotedSecret, quotedStandIn) = (quoted(typed.asTemplate), quoted(standIn))
      func hidden(_ json: String) -> String {
        let whole = json.replacing(":" + quotedSecret, with: ":" + quotedStandIn)
          .replacing(": " + quotedSecret, with: ": " + quotedStandIn)
        if typed.utf8.count < AliasTable.unguessableLength { return whole }
        return whole.replacing(quotedSecret.inQuotes, with: quotedStandIn.inQuotes)
      }
      for index in steps.indices {
        switch steps[index] {
        case .word(let member, let text, let with?): steps[index] = .word(member, text, with: hidden(with))
        case .arrive(var arrival):
          arrival.hide(typed, behind: standIn, of: world.flow)
          steps[index] = .arrive(arrival)
        default: break
        }
      }
      for index in faults.indices {
        faults[index].effects = faults[index].effects.map {
          ($0.member, $0.member == "result" ? hidden($0.json) : $0.json)
        }
      }
    }
  }

  /// Without what an address says to nobody: its other members the app does not look at.
  mutating func arrival(at location: Location, in snapshot: Snapshot) -> Arrival {
    var location = location
    location.query.mark(under: SecretNames(world.flow.services.flatMap(\.secrets)).query)
    var step = FlowEngine.Step(world: world, snapshot: snapshot, isRecording: false)
    step.markForApp(&location, secrets: world.secrets(of: nil))
    let isRedirectURI = step.isRedirectURI(location)
    let link = isRedirectURI ? nil : world.flow.links.firstIndex { step.match(location, $0) != nil }
    let event = isRedirectURI ? world.flow.app.redirected : link.flatMap { world.flow.links[$0].event }
    let declared = event.map { world.flow.app.events[$0].fields }
    location.query.removeAll { declared?.index(of: $0.name) == nil }
    for index in location.path.indices {
      location.path[index] = hidden(location.path[index], named: "secret")
    }
    for index in location.query.indices {
      location.query[index].value = hidden(location.query[index].value, named: location.query[index].name)
    }
    return Arrival(location: location, link: link, config: snapshot.app.config)
  }

  func address(_ arrival: Arrival) -> String {
    world.text(of: arrival.location, config: arrival.config).string.asTemplate
  }

  /// A value with stand-ins for all that is secret in it.
  private mutating func hidden(_ value: Value, named name: String) -> Value {
    switch value {
    case .string(let text): return .string(hidden(text, named: name))
    case .list(let elements): return .list(elements.map { hidden($0, named: name) })
    case .map(let map):
      let entries = map.entries.map {
        NamedValue(key: hidden($0.key, named: name), value: hidden($0.value, named: name))
      }
      return .map(ValueMap(distinct: entries))
    default: return value
    }
  }

  mutating func hidden(_ text: Text, named name: String) -> Text {
    let bytes = Array(text.string.utf8)
    var (shown, rest) = ("", 0)
    for range in text.secretRanges {
      shown += String(decoding: bytes[rest..<range.lowerBound], as: UTF8.self)
      shown += standIn(for: String(decoding: bytes[range], as: UTF8.self), named: name)
      rest = range.upperBound
    }
    return Text(shown + String(decoding: bytes[rest...], as: UTF8.self))
  }
}

extension Retelling {
  /// An address that something outside opens, in its parts: what stands in one may be typed as a secret later on.
  struct Arrival: Hashable, Sendable {
    fileprivate var location: Location
    /// Index of the link that it matches; `nil` for a redirect URI.
    fileprivate let link: Int?
    /// What the app was given, which says how the address begins.
    fileprivate let config: [Value]

    /// Replaces what was typed where it stands in a variable of the link or in a value of the query: as a whole, or in
    /// a text that is long enough for that to be no chance.
    fileprivate mutating func hide(_ typed: String, behind standIn: String, of flow: Flow) {
      func hidden(_ text: Text) -> Text {
        if text.string == typed { return Text(standIn) }
        if typed.utf8.count < AliasTable.unguessableLength { return text }
        let hidden = text.string.replacing(typed, with: standIn)
        return hidden == text.string ? text : Text(hidden)
      }
      if let link {
        for (place, segment) in flow.links[link].variables(in: location) {
          location.path[place] = segment.replacing(in: location.path[place], with: hidden)
        }
      }
      for index in location.query.indices {
        guard let text = location.query[index].value.text else { continue }
        location.query[index].value = .string(hidden(text))
      }
    }
  }
}

extension Value {
  /// Whether a number, a bool or a time is somewhere in it.
  fileprivate var holdsOtherThanText: Bool {
    switch self {
    case .null, .string: false
    case .list(let elements): elements.contains(where: \.holdsOtherThanText)
    case .map(let map): map.entries.contains { $0.value.holdsOtherThanText }
    default: true
    }
  }

  /// As JSON in which nothing is an expression; names of members are none anyway.
  var asTemplateJSON: String {
    var writer = JSONWriter()
    writer.write(asTemplate)
    return writer.text
  }

  private var asTemplate: Value {
    switch self {
    case .string(let text): .string(text.string.asTemplate)
    case .list(let elements): .list(elements.map(\.asTemplate))
    case .map(let map): .map(map.mapValues(\.asTemplate))
    default: self
    }
  }
}

extension String {
  /// Without its first and its last character.
  fileprivate var inQuotes: String { String(dropFirst().dropLast()) }

  /// Text in which nothing is an expression, as a template.
  var asTemplate: String {
    unicodeScalars.reduce(into: "") { text, scalar in
      if scalar == "{", text.unicodeScalars.last == "$" { text += "$" }
      text.unicodeScalars.append(scalar)
    }
  }
}
