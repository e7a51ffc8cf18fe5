import FlowEngine
import FlowSpec

/// The app's states and what leads from one to the next: made from the flow, without running it.
///
/// Nested states stand inside theirs, each sub-flow in a box of its own. An arrow says its event and its guard.
package struct StateDiagram: Sendable {
  private let machine: Machine
  private let labels: ArrowLabels
  private let children: [Int: [Int]]

  package init(of flow: Flow) {
    machine = flow.app
    labels = ArrowLabels(flow)
    let states = flow.app.states
    children = Dictionary(grouping: states.indices.filter { states[$0].parent != nil }) { states[$0].parent ?? 0 }
  }

  /// Mermaid's text, with its line end.
  package var mermaid: String {
    var lines = ["stateDiagram-v2"]
    for (index, routine) in machine.routines.enumerated() {
      let isBox = index > 0
      if isBox {
        lines.append("  state \"\(Mermaid.label(routine.shownName))\" as \(name(routine.root)) {")
      }
      let indent = isBox ? "    " : "  "
      lines += (nodes(in: routine.root) + ends(of: index) + arrows(below: routine.root)).map { indent + $0 }
      if isBox { lines.append("  }") }
    }
    lines += ["goal", "rest"].flatMap(marks)
    return lines.joined(separator: "\n") + "\n"
  }

  private func nodes(in parent: Int) -> [String] {
    var lines: [String] = []
    if case .compound(let start) = machine.states[parent].activity { lines.append("[*] --> \(name(start))") }
    if isAnywhere(parent) { lines.append("state \"in any of these states\" as \(source(parent))") }
    for index in children[parent] ?? [] {
      let label = "state \"\(labels.words(of: machine.states[index]))\" as \(name(index))"
      guard children[index] != nil else {
        lines.append(label)
        continue
      }
      lines += ["\(label) {"] + nodes(in: index).map { "  " + $0 } + ["}"]
    }
    return lines
  }

  /// Behind all nodes, since Mermaid takes a state for a part of the one in which its name stands first.
  private func arrows(below parent: Int) -> [String] {
    arrows(from: parent) + (children[parent] ?? []).flatMap(arrows(below:))
  }

  private func arrows(from index: Int) -> [String] {
    let state = machine.states[index]
    var arrows = labels.arrows(of: state).map { arrow in
      let label = [arrow.label, effect(of: arrow.target, from: index)].filter { !$0.isEmpty }.joined(separator: " ")
      return "\(source(index)) --> \(target(arrow.target, from: index))"
        + (label.isEmpty ? "" : " : \(Mermaid.label(label))")
    }
    if case .end(let end) = state.activity { arrows.append("\(name(index)) --> \(name(ofEnd: end, state.routine))") }
    return arrows
  }

  /// Whether arrows begin at a state that has states in it: they get a node inside, since Mermaid cannot draw an arrow
  /// from a box into itself.
  private func isAnywhere(_ index: Int) -> Bool {
    children[index] != nil && !labels.arrows(of: machine.states[index]).isEmpty
  }

  /// The state in which one ends up by entering this one; Mermaid draws arrows that end at a box on top of one another.
  private func entered(with index: Int) -> Int {
    if case .compound(let start) = machine.states[index].activity { entered(with: start) } else { index }
  }

  private func source(_ index: Int) -> String { isAnywhere(index) ? "\(name(index))__any" : name(index) }

  private func target(_ target: Transition.Target, from index: Int) -> String {
    switch target {
    case .state(let target): name(entered(with: target))
    case .end(let end): name(ofEnd: end, machine.states[index].routine)
    case .stay, .reply: source(index)
    }
  }

  /// What an arrow does not show: that no state is left, or that one around both its ends is and is entered again.
  private func effect(of target: Transition.Target, from index: Int) -> String {
    switch target {
    case .stay: "(stays)"
    case .state(let target) where children[target] != nil && machine.encloses(target, index):
      "(\(machine.states[target].shownName) begins anew)"
    default: ""
    }
  }

  /// Each end of a flow has a node of its own, with its name.
  private func ends(of routine: Int) -> [String] {
    machine.routines[routine].ends.flatMap { end in
      let name = name(ofEnd: end, routine)
      return ["state \"ends: \(Mermaid.label(end))\" as \(name)", "\(name) --> [*]"]
    }
  }

  private func name(ofEnd end: String, _ routine: Int) -> String {
    "\(name(machine.routines[routine].root))__end_\(Mermaid.name(end))"
  }

  /// State names are unique in a flow or sub-flow only.
  private func name(_ index: Int) -> String {
    let state = machine.states[index]
    let routine = machine.routines[state.routine]
    if index == routine.root { return state.routine == 0 ? "whole_flow" : "flow_\(Mermaid.name(routine.name))" }
    return state.routine == 0 ? Mermaid.name(state.name) : "\(Mermaid.name(routine.name))__\(Mermaid.name(state.name))"
  }

  /// Goals stand out, and so do states in which a person may leave the app for a week.
  private func marks(_ kind: String) -> [String] {
    let names = machine.states.indices.filter { children[$0] == nil && mark(of: $0) == kind }.map(name)
    guard !names.isEmpty else { return [] }
    let style = kind == "goal" ? "fill:#d5f0d5,stroke:#2e7d32,stroke-width:2px" : "fill:#fdf3d0,stroke:#b58900"
    return ["  classDef \(kind) \(style)"] + names.map { "  class \($0) \(kind)" }
  }

  /// What the app is at in a state, by that or one around it: Mermaid does not colour boxes.
  private func mark(of index: Int) -> String? {
    let around = sequence(first: index) { machine.states[$0].parent }.map { machine.states[$0] }
    return around.contains(where: \.isGoal) ? "goal" : around.contains(where: \.isRest) ? "rest" : nil
  }
}
