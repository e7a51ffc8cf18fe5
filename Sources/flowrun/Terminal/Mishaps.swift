import Expressions
import FlowEngine
import FlowInterpreter
import FlowSpec

/// What can go wrong with the requests of a run that a person plays, each numbered: what models answer only sometimes,
/// answers that are lost, requests that are not sent; and that what is to go wrong is not to, after all.
struct Mishaps {
  private struct Row {
    let request: String
    let name: String
    let target: Scenario.Fault.Target
    let act: Act
    /// What is withdrawn, in words; `nil` for what can go wrong.
    var withdrawn: String?
  }

  private var all: [Row] = []

  /// Nothing makes a real server do what its model would do.
  init(of flow: Flow, live: [String]) {
    let simulated = flow.services.enumerated().filter { !live.contains(flow.participants[$1.participant].name) }
    let lines = simulated.flatMap { $1.model?.routes.map(\.line) ?? [] }
    for (service, declared) in simulated {
      guard let model = declared.model else { continue }
      for (index, route) in model.routes.enumerated() {
        let isOfSeveral = lines.count { $0 == route.line } > 1
        let request = route.line + (isOfSeveral ? " of \(flow.participants[declared.participant].name)" : "")
        let replies = model.sometimesNames(from: route).map { ($0, Scenario.Fault.Effect.reply($0)) }
        for (name, effect) in replies + [("lost", .lost), ("unreachable", .unreachable)] {
          let fault = Scenario.Fault(
            target: .route(service: service, route: index, from: nil), nth: .number(1), effect: effect, delay: nil,
            site: route.site)
          all.append(Row(request: request, name: name, target: fault.target, act: .goesWrong(fault)))
        }
      }
    }
  }

  var isEmpty: Bool { all.isEmpty }

  /// The same where something is to go wrong and has not yet: each of it can be withdrawn.
  func withdrawing(_ armed: [(target: Scenario.Fault.Target, words: String)]) -> Mishaps {
    var mishaps = self
    for (target, words) in armed {
      guard let request = all.first(where: { $0.target == target })?.request else { continue }
      mishaps.all.append(
        Row(request: request, name: "withdraw", target: target, act: .goesAsUsual(target), withdrawn: words))
    }
    return mishaps
  }

  /// A line for each request, and for each that is to go wrong already.
  func text(width: Int) -> String {
    var lines: [(request: String, words: [String])] = []
    for (index, row) in all.enumerated() {
      if row.withdrawn != nil || lines.last?.request != row.request { lines.append((row.request, [])) }
      let withdrawn = row.withdrawn.map { " (the next time \($0))" } ?? ""
      lines[lines.count - 1].words.append("\(index + 1) \(row.name)\(withdrawn)")
    }
    return lines.map { line in
      let text = printable("\(line.request): \(line.words.joined(separator: " · "))")
      return wrapped(text, width: width - 2).map { "  \($0)\n" }.joined()
    }.joined()
  }

  /// What was meant: a number, a request with what becomes of it, or that alone where it is one request's.
  func act(_ line: String) -> Act? {
    let named = named(line)
    return named.count == 1 ? named.first?.act : nil
  }

  /// Why a line means nothing.
  func hint(for line: String) -> String {
    if line.isEmpty {
      let armed = all.compactMap(\.withdrawn).map { "the next time \($0)" }
      return armed.isEmpty ? "nothing is to go wrong" : "it stays so: \(armed.joined(separator: "; "))"
    }
    let typed = printable(line.count > 60 ? "\(line.prefix(60))…" : line)
    if let first = named(line).first {
      let example = "\"\(first.request) \(first.name)\""
      return "\"\(typed)\" can be said of several requests: type one before it, as in \(example)"
    }
    let known = all.flatMap { [$0.name, "\($0.request) \($0.name)"] }
    return "\"\(typed)\" is nothing that can go wrong here; \(suggestion(for: line, among: known) ?? "f says what can")"
  }

  private func named(_ line: String) -> ArraySlice<Row> {
    if let number = Int(digits: line), all.indices.contains(number - 1) { return all[number - 1..<number] }
    return all.filter { [$0.name, "\($0.request) \($0.name)", "\($0.request): \($0.name)"].contains(line) }[...]
  }
}
