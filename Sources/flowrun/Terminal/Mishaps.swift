import Expressions
import FlowEngine
import FlowInterpreter
import FlowSpec

/// What can go wrong with the requests of a run that a person plays, each numbered: what models answer only sometimes,
/// answers that are lost, requests that are not sent.
struct Mishaps {
  private var all: [(request: String, name: String, fault: Scenario.Fault)] = []

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
          all.append((request, name, fault))
        }
      }
    }
  }

  var isEmpty: Bool { all.isEmpty }

  /// A line for each request.
  func text(width: Int) -> String {
    var lines: [(request: String, words: [String])] = []
    for (index, mishap) in all.enumerated() {
      if lines.last?.request != mishap.request { lines.append((mishap.request, [])) }
      lines[lines.count - 1].words.append("\(index + 1) \(mishap.name)")
    }
    return lines.map { line in
      let text = printable("\(line.request): \(line.words.joined(separator: " · "))")
      return wrapped(text, width: width - 2).map { "  \($0)\n" }.joined()
    }.joined()
  }

  /// What was meant: a number, a request with what becomes of it, or that alone where it is one request's.
  func fault(_ line: String) -> Scenario.Fault? {
    let named = named(line)
    return named.count == 1 ? named.first?.fault : nil
  }

  /// Why a line means nothing.
  func hint(for line: String) -> String {
    if line.isEmpty { return "nothing is to go wrong" }
    let typed = printable(line.count > 60 ? "\(line.prefix(60))…" : line)
    if let first = named(line).first {
      return "\"\(typed)\" can become of several requests: type one before it, as in \"\(first.request) \(first.name)\""
    }
    let known = all.flatMap { [$0.name, "\($0.request) \($0.name)"] }
    return "\"\(typed)\" is nothing that can go wrong here; \(suggestion(for: line, among: known) ?? "f says what can")"
  }

  private func named(_ line: String) -> ArraySlice<(request: String, name: String, fault: Scenario.Fault)> {
    if let number = Int(line), all.indices.contains(number - 1) { return all[number - 1..<number] }
    return all.filter { [$0.name, "\($0.request) \($0.name)", "\($0.request): \($0.name)"].contains(line) }[...]
  }
}
