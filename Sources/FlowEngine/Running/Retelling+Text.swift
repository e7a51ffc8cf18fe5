import Expressions
import FlowSpec
import JSONSyntax

extension Retelling {
  /// How many things a scenario says.
  var length: Int { joined(steps).count + faults.count + (isOffline ? 1 : 0) }

  /// Leaves out, the last first, what the run of the rest does not need to come to the same place, with so much effort;
  /// gives how much of it is left.
  mutating func shorten(within effort: Int, _ comesThere: (Retelling) -> Bool) -> Int {
    guard comesThere(self) else { return effort }
    steps = joined(steps)
    var left = effort
    while let shorter = firstShorter(&left, where: comesThere) { self = shorter }
    return max(0, left)
  }

  /// The same with one thing less, or a plainer one; `nil` where nothing is left to try it with, too.
  private func firstShorter(_ left: inout Int, where comesThere: (Retelling) -> Bool) -> Retelling? {
    let effort = Effort.cost(ofSteps: length)
    // One at a time: all of them together would take the square of its length.
    func tried(_ left: inout Int, _ change: (inout Retelling) -> Void) -> Retelling? {
      left -= effort
      guard left >= 0 else { return nil }
      var copy = self
      change(&copy)
      return comesThere(copy) ? copy : nil
    }
    for index in steps.indices.reversed() where left >= 0 {
      if let shorter = tried(&left, { $0.steps.remove(at: index) }) { return shorter }
      if case .kill(keeping: _) = steps[index], index + 1 < steps.count,
        let shorter = tried(&left, { $0.steps.replaceSubrange(index...index + 1, with: [.kill]) })
      {
        return shorter
      }
    }
    for index in faults.indices.reversed() {
      if let shorter = tried(&left, { $0.faults.remove(at: index) }) { return shorter }
    }
    return isOffline ? tried(&left) { $0.isOffline = false } : nil
  }

  /// The scenario, a step or a fault on each line; `given` has further members of what it starts from, as JSON.
  func text(named name: String, given: [(name: String, json: String)] = [], ends: String? = nil) -> String {
    var members = ["\"scenario\": \(quoted(name))"]
    let after = world.startingPoint.map { [(name: "after", json: quoted($0.scenario))] } ?? []
    let given = after + (isOffline ? [(name: "device", json: "{ \"online\": false }")] : []) + given
    if !given.isEmpty { members.append("\"given\": \(object(given))") }
    if !isAutomatic { members.append("\"script\": \(list(joined(steps).map(object)))") }
    if !faults.isEmpty { members.append("\"faults\": \(list(faults.map(object)))") }
    if let ends { members.append("\"ends\": \(quoted(ends))") }
    return "{\n  " + members.joined(separator: ",\n  ") + "\n}\n"
  }

  /// Steps that follow one another told as one: times add up, and kill and launch are a relaunch.
  private func joined(_ steps: [Step]) -> [Step] {
    var all: [Step] = []
    for step in steps {
      switch (all.last, step) {
      case (.advance(let first)?, .advance(let second)) where (first + second).isInRange:
        all[all.count - 1] = .advance(first + second)
      case (.flag("kill")?, .flag("launch")):
        all[all.count - 1] = .relaunch(after: .zero)
      case (.advance(let span)?, .flag("launch")) where all.dropLast().last == .kill:
        all.removeLast(2)
        all.append(.relaunch(after: span))
      default: all.append(step)
      }
    }
    return all
  }

  private func object(_ step: Step) -> String {
    switch step {
    case .word(let member, let text, let with):
      object([(member, quoted(text))] + (with.map { [("with", $0)] } ?? []))
    case .arrive(let arrival): object([("arrive", quoted(address(arrival)))])
    case .mail(let name, let nth, let link):
      object(
        [("open mail", quoted(name))] + (nth.map { [("nth", "\($0)")] } ?? [])
          + (link.map { [("link", quoted($0))] } ?? []))
    case .flag(let member): object([(member, "true")])
    case .advance(let span): object([("advance", quoted(span.inUnits))])
    case .kill(let keeping): object([("kill", object([("keeping", "\(keeping)")]))])
    case .relaunch(.zero): object([("relaunch", "true")])
    case .relaunch(let span): object([("relaunch", object([("after", quoted(span.inUnits))]))])
    }
  }

  private func object(_ fault: Fault) -> String {
    var members = [(fault.subject.member, quoted(fault.subject.name))]
    if let to = fault.to { members.append(("to", quoted(to))) }
    if let nth = fault.nth, nth > 1 { members.append(("nth", "\(nth)")) }
    if fault.nth == nil { members.append(("nth", quoted("every"))) }
    return object(members + fault.effects.map { ($0.member, $0.json) })
  }

  func object(_ members: [(name: String, json: String)]) -> String {
    "{ " + members.map { "\(quoted($0.name)): \($0.json)" }.joined(separator: ", ") + " }"
  }

  private func list(_ lines: [String]) -> String {
    lines.isEmpty ? "[]" : "[\n    " + lines.joined(separator: ",\n    ") + "\n  ]"
  }

  func quoted(_ text: String) -> String {
    var writer = JSONWriter()
    writer.string(text)
    return writer.text
  }
}

extension Duration {
  /// As an author writes it: `1h30m`, `15s`, `1500ms`.
  package var inUnits: String {
    let (seconds, attoseconds) = components
    if attoseconds != 0 { return text }
    let units = [("h", seconds / 3600), ("m", seconds / 60 % 60), ("s", seconds % 60)]
    let text = units.filter { $0.1 > 0 }.map { "\($0.1)\($0.0)" }.joined()
    return text.isEmpty ? "0s" : text
  }
}
