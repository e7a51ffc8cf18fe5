import Expressions
import FlowEngine
import FlowInterpreter
import FlowSpec

/// A person at the terminal, who is asked what happens next in the flow's own words.
struct TerminalPerson: Person {
  private let terminal: Terminal
  private let console: Console
  private let style: TextStyle
  private let mishaps: Mishaps

  init(on console: Console, mishaps: Mishaps) throws(Failure) {
    (self.console, self.mishaps) = (console, mishaps)
    terminal = try Terminal()
    style = console.style(.errors)
  }

  func act(in situation: Situation) async throws(Failure) -> Act? {
    // What comes by itself at once needs no question.
    if !situation.isVirtual { try? await Task.sleep(for: .milliseconds(200)) }
    guard !Task.isCancelled else { return nil }
    let menu = Menu(situation, mishaps)
    if let refusal = situation.refusal { hint(refusal) }
    if !situation.isVirtual, situation.standing.isAnswerDue, menu.offers.isEmpty {
      guard await waits() else { return nil }
    }
    show(menu)
    while case .line(let line)? = await ask("> ") {
      switch menu.choice(line) {
      case .act(let act): return act
      // Whoever ends an answer wants something else: the menu stands there again, and at its end the run ends.
      case .fills(let fields, let act):
        if let values = await filled(fields) { return act(values) }
        show(menu)
      case .asksForAddress:
        if case .line(let address)? = await ask("  the address that is opened: ") { return .arrives(at: address) }
        show(menu)
      case .waits:
        guard await waits() else { return nil }
        show(menu)
      case .asksWhatGoesWrong:
        terminal.say(menu.mishaps.text(width: width))
        guard case .line(let line)? = await ask("  what goes wrong: ") else {
          show(menu)
          continue
        }
        if let act = menu.mishaps.act(line) { return act }
        hint(menu.mishaps.hint(for: line))
      case .explains: terminal.say(menu.explanation(width: width))
      case .nothing(let why): hint(why)
      }
    }
    return nil
  }

  private var width: Int { console.width(of: .errors) }

  private func show(_ menu: Menu) {
    if !Task.isCancelled { terminal.say(menu.text(style, width: width)) }
  }

  func isInterrupted() { terminal.makeRoom() }

  /// Asks until the person has typed text; `nil` when there will be no more.
  private func ask(_ prompt: String, secret: Bool = false) async -> Terminal.Answer? {
    while !Task.isCancelled {
      switch await terminal.ask(prompt, secret: secret) {
      case .line(let text): return .line(text)
      case .end: return nil
      case .noText: hint("that has keys in it that are no text; type it once more")
      case .cutOff: hint("that is longer than a line of the terminal can be, and its end is lost; --answers takes more")
      case .withdrawn: break
      }
    }
    return nil
  }

  /// Waits until something happens, which withdraws the question; `true` when the person wants to do something first.
  private func waits() async -> Bool {
    await ask("  waiting for what happens; return: do something meanwhile ") != nil
  }

  /// `nil` when the person ends an answer.
  private func filled(_ fields: [FlowOffer.Field]) async -> [String: FlowValue]? {
    var values: [String: FlowValue] = [:]
    for field in fields {
      guard case .some(let value) = await value(of: field) else { return nil }
      // The session knows the example, and what of it is secret.
      values[field.name] = value
    }
    return values
  }

  /// Asks for a field until what is typed fits; an inner `nil` for the example, or nothing where there is none.
  private func value(of field: FlowOffer.Field) async -> FlowValue?? {
    while case .line(let text)? = await ask(field.prompt, secret: field.isSecret) {
      if text.isEmpty { return .some(nil) }
      let value = text == "\"\"" && field.declared.type == .string ? .string("") : field.declared.value(written: text)
      if let value { return FlowValue(value) }
      hint("that does not fit: " + (field.words ?? "another value is needed"))
    }
    return nil
  }

  private func hint(_ text: String) {
    terminal.say(wrapped(printable(text), width: width - 2).map { "  \(style.bad($0))\n" }.joined())
  }
}

extension FlowOffer.Field {
  /// What the field is called, what fits, and what return gives.
  fileprivate var prompt: String {
    let kinds = [isSecret ? "does not appear" : nil, words].compactMap(\.self)
    let kind = kinds.isEmpty ? "" : " (\(kinds.joined(separator: "; ")))"
    return "  " + printable("\(title ?? name)\(kind)\(usual): ")
  }

  /// What it takes, `nil` for any text, and where the words themselves are secret.
  fileprivate var words: String? {
    guard let allowed else { return declared.type.hint }
    return isSecret ? nil : "one of \(allowed.joined(separator: ", "))"
  }

  private var usual: String {
    if example == .null { return " [nothing]" }
    guard let shown else { return " [the example]" }
    return " [\(shown.count > 60 ? "\(shown.prefix(60))…" : shown)]"
  }
}
