import Expressions
import FlowSpec

@testable import FlowEngine

/// What happened in short lines, one a happening; choices and transitions are left out.
struct Story {
  private let flow: Flow

  /// Prints secret spans as `<name>`.
  private let isMasking: Bool

  init(_ flow: Flow, masking: Bool = false) {
    self.flow = flow
    isMasking = masking
  }

  func lines(of outcome: RunOutcome) -> [String] {
    outcome.happenings.compactMap(line) + outcome.problems.map(problem)
  }

  /// The lines that carry refs, with them.
  func refs(of outcome: RunOutcome) -> [String] {
    outcome.happenings.compactMap { happening in
      guard !happening.refs.isEmpty else { return nil }
      return (line(happening) ?? transition(happening)) + " #" + happening.refs.joined(separator: " #")
    }
  }

  private func transition(_ happening: Happening) -> String {
    if case .transition(let taken) = happening.fact { "transition of \(taken.source)" } else { "choice" }
  }

  func problems(of outcome: RunOutcome) -> [String] { outcome.problems.map(problem) }

  func lines(of happenings: [Happening]) -> [String] { happenings.compactMap(line) }

  static func codes(of outcome: RunOutcome) -> [String] { outcome.problems.map(\.code) }

  /// The app's store at the end, key by key.
  static func storeValues(of outcome: RunOutcome) -> [String] { outcome.snapshot.app.store.map(\.jsonText.string) }

  /// The code, and the beginning of what it points at.
  private func problem(_ diagnostic: Diagnostic) -> String {
    guard let site = diagnostic.labels.first?.site else { return "problem \(diagnostic.code)" }
    let text = String(decoding: site.document.bytes[site.range].prefix(40), as: UTF8.self)
    return "problem \(diagnostic.code) at \(text)"
  }

  private func line(_ happening: Happening) -> String? {
    switch happening.fact {
    case .launched(let from, _): "launch by \(name(from))"
    case .resumed(let scenario): "resumed \(scenario)"
    case .killed(_, nil): "killed"
    case .killed(_, let keeping?): "killed keeping \(keeping)"
    case .state(let state): (name(state.lane) == "app" ? "" : "\(name(state.lane)) ") + "in \(state.name)"
    case .event(let event):
      "event \(event.name)\(fields(event.fields))" + (event.outcome == .taken ? "" : " \(event.outcome.rawValue)")
    case .clock(let duration): "+\(duration.text)"
    case .fault(let words): "fault: \(words)"
    case .ended(let ended): "\(ended.how.words)"
    default: message(happening.fact)
    }
  }

  private func message(_ fact: Happening.Fact) -> String? {
    switch fact {
    case .request(let sent): "\(name(sent.from)) → \(name(sent.to)) \(words(sent.request))"
    case .answer(let answer):
      "\(name(answer.from)) → \(name(answer.to)) \(words(answer.answer))" + (answer.fate == .dropped ? " dropped" : "")
    case .perform(_, _, let capability, let input): "perform \(capability)\(fields(input))"
    case .result(_, _, let capability, let failure, let values):
      "\(capability) \(failure.map { "fails \($0)" } ?? "done")\(fields(values))"
    case .page(let page): "page \(text(page.title))" + (page.text.map { ": \(text($0))" } ?? "")
    case .submit(_, _, let form, let values): "submit \(form)\(fields(values))"
    case .follow(_, _, let link): "follow \(link)"
    case .mail(let mail): "mail \(mail.name)" + (mail.address.map { " to \(text($0))" } ?? "")
    case .openMail(_, _, let mail): "open mail \(mail)"
    default: action(fact)
    }
  }

  private func action(_ fact: Happening.Fact) -> String? {
    switch fact {
    case .set(let lane, let changes):
      (name(lane) == "app" ? "" : "\(name(lane)) ") + "set "
        + changes.map { "\(plain($0.path.text)) = \(text($0.new))" }.joined(separator: ", ")
    case .emit(_, let name, let values): "emit \(name)\(fields(values))"
    case .show(_, _, let screen, let values): "show \(screen)\(fields(values))"
    case .open(_, _, let url): "open \(text(.string(World(flow).text(of: url, config: flow.app.configValues))))"
    case .close(let from, _, _): "\(name(from)) closes tab"
    default: nil
    }
  }

  private func words(_ request: Request) -> String {
    var words = "\(request.method) /" + request.path.map(plain).joined(separator: "/")
    if !request.query.isEmpty { words += "?" + pairs(request.query, "&") }
    if !request.headers.isEmpty { words += " [" + pairs(request.headers, ", ") + "]" }
    if let bearer = request.bearer { words += " bearer \(plain(bearer))" }
    if !request.cookies.isEmpty { words += " cookies " + pairs(request.cookies, "; ") }
    switch request.body {
    case nil: return words
    case .json(let value): return words + " \(plain(value.jsonText))"
    case .form(let values): return words + " form " + pairs(values, "&")
    case .text(let text): return words + " text \(plain(text))"
    }
  }

  private func words(_ answer: Answer) -> String {
    switch answer {
    case .failure(let failure, _): failure.rawValue
    case .response(let response): "\(response.status)" + (isMasking ? body(response) : "")
    }
  }

  private func body(_ response: Response) -> String {
    var words = ""
    if !response.headers.isEmpty { words += " [" + pairs(response.headers, ", ") + "]" }
    if !response.cookies.isEmpty { words += " cookies " + pairs(response.cookies, "; ") }
    if let location = response.location { words += " to ?" + pairs(location.query, "&") }
    switch response.body {
    case .json(let value): return words + " \(plain(value.jsonText))"
    case .form(let values): return words + " form " + pairs(values, "&")
    case .text, nil: return words
    }
  }

  private func pairs(_ values: [NamedValue], _ separator: String) -> String {
    values.map { "\($0.name)=\(text($0.value))" }.joined(separator: separator)
  }

  private func fields(_ values: [NamedValue]) -> String {
    values.isEmpty ? "" : " {" + pairs(values, ", ") + "}"
  }

  /// Strings bare, everything else as JSON.
  private func text(_ value: Value) -> String { plain(value.text ?? value.jsonText) }

  private func plain(_ text: Text) -> String {
    guard isMasking else { return text.string }
    let bytes = Array(text.string.utf8)
    var shown = ""
    var position = 0
    for span in text.spans {
      guard case .secret(let name) = span.kind, span.range.lowerBound >= position else { continue }
      shown += String(decoding: bytes[position..<span.range.lowerBound], as: UTF8.self) + "<\(name)>"
      position = span.range.upperBound
    }
    return shown + String(decoding: bytes[position...], as: UTF8.self)
  }

  private func name(_ lane: Int) -> String { flow.participants[lane].name }
}
