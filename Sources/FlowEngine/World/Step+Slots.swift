import Expressions
import FlowSpec
import JSONSyntax

extension Step {
  /// `status headers json text challenge redirect failure`.
  mutating func slots(of answer: Answer, isLive: Bool, withText: Bool) -> [Value] {
    switch answer {
    case .failure(let failure, _):
      return [
        .int(0), .map(ValueMap()), .map(ValueMap()), .string(""), .map(ValueMap()), .null, .string(failure.rawValue),
      ]
    case .response(let response):
      return [
        .int(Int64(response.status)), headers(of: response, isLive: isLive),
        response.isMended ? .map(ValueMap()) : json(of: response.body),
        withText ? text(of: response.body, isLive: isLive) : .null,
        Challenge.value(of: response.headers), response.location.map { redirect($0) } ?? .null, .null,
      ]
    }
  }

  /// `method path query headers cookies bearer json form text`.
  func slots(of request: Request, route: Route, _ model: ServiceModel) -> [Value] {
    var (json, form, text) = (Value.map(ValueMap()), Value.map(ValueMap()), Value.string(""))
    switch request.body {
    case .json(let value): json = value
    case .form(let fields): form = map(fields)
    case .text(let body): text = .string(body)
    case nil: break
    }
    return [
      route.methodValue, .map(route.variables(in: request.path)), map(request.query),
      map(headers(of: request, model), type: request.body?.type), map(request.cookies), bearer(of: request), json,
      form, text,
    ]
  }

  /// With the one that a bearer token stands in (RFC 6750 §2.1), for a model that looks at headers.
  private func headers(of request: Request, _ model: ServiceModel) -> [NamedValue] {
    let headers = request.headers.joined
    guard model.readsHeaders, let bearer = request.bearer, headers.index(named: "authorization") == nil else {
      return headers
    }
    return headers + [NamedValue(name: "authorization", value: .string(Text("Bearer ") + bearer))]
  }

  /// Instants are text for who reads them.
  ///
  /// Where it leads stands apart in a response; a flow may read the header all the same.
  private mutating func headers(of response: Response, isLive: Bool) -> Value {
    var headers = response.headers
    for index in headers.indices {
      if case .timestamp(let instant) = headers[index].value { headers[index].value = .string(instant.text) }
    }
    if let location = response.location {
      headers.append(NamedValue(name: "location", value: .string(response.writtenLocation ?? text(of: location))))
    }
    if isLive { return map(headers.joined) }
    return map(headers.joined, type: response.page == nil ? response.body?.type : "text/html")
  }

  /// Headers with what a real peer would say of a body of which its author says nothing; no trace shows it.
  private func map(_ headers: [NamedValue], type: String?) -> Value {
    guard let type, headers.index(named: "content-type") == nil else { return map(headers) }
    if headers.isEmpty, let known = Self.types.first(where: { $0.name == type }) { return known.headers }
    return map(headers + [NamedValue(name: "content-type", value: .string(Text(type)))])
  }

  /// Made once: most messages have no other header.
  private static let types = [Body.json(.null).type, Body.form([]).type, Body.text(Text("")).type, "text/html"].map {
    (name: $0, headers: Value.map(ValueMap(distinct: [NamedValue(name: "content-type", value: .string(Text($0)))])))
  }

  /// Names of schemes are the same in capitals (RFC 9110 §11.1).
  private func bearer(of request: Request) -> Value {
    if let bearer = request.bearer { return .string(bearer) }
    guard let index = request.headers.index(named: "authorization"), let header = request.headers[index].value.text,
      header.string.prefix(7).lowercased() == "bearer ", let token = header.slice(7..<header.string.utf8.count)
    else { return .null }
    return .string(token)
  }

  /// Of fields with one name the last counts.
  private func map(_ fields: [NamedValue]) -> Value {
    .map(fields.areDistinct ? ValueMap(distinct: fields) : ValueMap(fields))
  }

  /// `{}` when the body is empty or no JSON.
  private func json(of body: Body?) -> Value {
    switch body {
    case .json(let value): value
    case .text(let text): Value(jsonText: text) ?? .map(ValueMap())
    case .form, nil: .map(ValueMap())
    }
  }

  /// Of a real answer it is hidden as a whole, whatever else of that answer is shown.
  private func text(of body: Body?, isLive: Bool) -> Value {
    let value = text(of: body)
    guard isLive, let text = value.text, !text.string.isEmpty else { return value }
    return .string(text.hiddenAnswer)
  }

  private func text(of body: Body?) -> Value {
    switch body {
    case .text(let text): .string(text)
    case .json(let value): .string(hiddenNumbers(of: value))
    case .form(let fields): .string(PercentEncoding.form(fields))
    case nil: .string("")
    }
  }

  /// JSON as text, secret as a whole where a number in it is: only strings carry marks of their own.
  private func hiddenNumbers(of value: Value) -> Text {
    let names = Names(flow.services.flatMap(\.secrets).filter(\.isOfJSON).map(\.name))
    return value.hasScalar(under: names) ? value.jsonText.marked(secret: "text") : value.jsonText
  }

  private func redirect(_ location: Location) -> Value {
    var value = ValueMap()
    switch location.base {
    case .service(let service): value["to"] = .string(flow.participants[lanes.services[service]].name)
    case .elsewhere(let origin): value["to"] = .string(origin)
    }
    var path = TextBuilder()
    if location.path.isEmpty, !location.isRootless { path.append("/") }
    for (index, segment) in location.path.enumerated() {
      if index > 0 || !location.isRootless { path.append("/") }
      path.append(segment)
    }
    value["path"] = .string(path.text)
    // As with events: where the first or the last counted, whoever could add one would choose.
    value["query"] = .map(location.query.areDistinct ? ValueMap(distinct: location.query) : ValueMap())
    return .map(value)
  }

  /// What `Retry-After` asks for; `nil` without one.
  static func retryAfter(_ slots: [Value], now: Timestamp) -> Duration? {
    guard slots.count > 1, case .map(let headers) = slots[1], let value = headers["retry-after"]?.text else {
      return nil
    }
    return RetryAfter.wait(value.string, now: now)
  }
}

extension [NamedValue] {
  /// Headers of one name as the list that they are (RFC 9110 §5.3).
  fileprivate var joined: [NamedValue] {
    if areDistinct { return self }
    return groupedByName.flatMap { headers in
      guard headers.count > 1, headers.allSatisfy({ $0.value.text != nil }) else { return headers }
      var list = TextBuilder()
      for (index, text) in headers.compactMap(\.value.text).enumerated() {
        if index > 0 { list.append(", ") }
        list.append(text)
      }
      return [NamedValue(key: headers[0].key, value: .string(list.text))]
    }
  }
}

extension Value {
  /// A body as dynamic data, without the marks of its strings; `nil` when it is no JSON or has duplicate members.
  init?(unmarkedJSON text: Text) {
    let utf8 = text.string.utf8
    // Nearly all text of people begins with a capital, as no JSON does, and is not read to find that.
    guard let first = utf8.first(where: { $0 > 0x20 }), !(0x41...0x5A).contains(first),
      let node = try? JSONParser.parse(Array(utf8), as: .body), node.duplicateMembers().isEmpty
    else { return nil }
    self.init(body: node, hiding: text.secretRanges)
  }

  /// The same with marks: where one lies in the text cannot be told behind the escapes, so all of its strings get it.
  init?(jsonText: Text) {
    guard let value = Value(unmarkedJSON: jsonText) else { return nil }
    self = jsonText.firstSecret.map { value.marked(secret: $0) } ?? value
  }

  /// A number or a bool with something secret in it stays text, which alone can carry a mark.
  private init(body node: JSONNode, hiding secrets: [Range<Int>]) {
    switch node.kind {
    case .array(let elements) where !secrets.isEmpty:
      self = .list(elements.map { Value(body: $0, hiding: secrets) })
    case .object(let members) where !secrets.isEmpty:
      let entries = members.map { NamedValue(name: $0.name, value: Value(body: $0.value, hiding: secrets)) }
      self = .map(ValueMap(distinct: entries))
    default:
      self.init(body: node)
      if secrets.overlap(node.range), let text = asText { self = .string(text) }
    }
  }

  /// Compact JSON with the marks of its strings; escaping leaves what is fresh as it is.
  package var jsonText: Text {
    var (string, spans) = ("", [Text.Span]())
    addJSON(to: &string, &spans)
    return Text(string: string, spans: spans)
  }

  private func addJSON(to string: inout String, _ spans: inout [Text.Span]) {
    switch self {
    case .null, .optional(nil), .bool, .int, .double:
      var writer = JSONWriter()
      writer.write(self)
      string += writer.text
    case .optional(let value?): value.addJSON(to: &string, &spans)
    case .timestamp, .duration, .string: (asText ?? Text("")).addQuoted(to: &string, &spans)
    case .list(let elements):
      string += "["
      for index in elements.indices {
        if index > 0 { string += "," }
        elements[index].addJSON(to: &string, &spans)
      }
      string += "]"
    case .map(let map):
      string += "{"
      for index in map.entries.indices {
        if index > 0 { string += "," }
        (map.entries[index].key.asText ?? Text("")).addQuoted(to: &string, &spans)
        string += ":"
        map.entries[index].value.addJSON(to: &string, &spans)
      }
      string += "}"
    }
  }
}

extension Text {
  fileprivate func addQuoted(to string: inout String, _ spans: inout [Span]) {
    string += "\""
    let (escaped, offset) = (mappingKnown(Self.jsonEscaped), string.utf8.count)
    for span in escaped.spans { spans.append(span.moved(by: offset)) }
    string += escaped.string
    string += "\""
  }

  private static func jsonEscaped(_ string: String) -> String {
    guard string.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) else {
      return string
    }
    var writer = JSONWriter()
    writer.string(string)
    return String(writer.text.unicodeScalars.dropFirst().dropLast())
  }
}
