import Expressions

extension MachineBuilder {
  mutating func transition(
    _ declaration: Declaration, in routine: Int, standing: Standing, isSometimes: Bool? = nil
  ) -> Transition {
    refuseMisplaced(in: declaration)
    let when = declaration["when"].flatMap { guardOf($0, standing: standing) }
    for placed in when?.expressions ?? [] where placed.expression.isConstant {
      compilation.findings.warning(
        "constant-condition", "this condition is the same at all times: it reads nothing", at: placed.site,
        "never changes", help: "compare something that changes, or leave it out where it always holds")
    }
    let standing = standing.testing(when)
    let actions = actions(declaration["do"], standing: standing)
    let target = target(of: declaration, in: routine, standing: standing.behind(actions))
    transitionCount += 1
    return Transition(
      id: transitionCount - 1, name: declaration["name"]?.string, refs: compilation.refs(of: declaration), when: when,
      actions: actions, target: target, isSometimes: isSometimes ?? self.isSometimes(declaration),
      hasMistake: declaration.isDamaged || actions.isEmpty && hasActions(declaration["do"]), site: declaration.site)
  }

  /// Whether a `do` that comes to no actions has some that are wrong.
  private func hasActions(_ list: Declaration?, in lists: Set<String> = []) -> Bool {
    list?.isDamaged == true
      || list.items.contains { item in
        guard let name = item.string, let named = actionLists[name] else { return true }
        // What names itself is told of.
        return lists.contains(name) || hasActions(named, in: lists.union([name]))
      }
  }

  private mutating func target(of declaration: Declaration, in routine: Int, standing: Standing) -> Transition.Target {
    if let goto = declaration["goto"], let name = goto.string {
      return state(name, at: goto.site, in: routine).map { .state($0) } ?? .stay
    }
    if let end = declaration["end"] { return self.end(end, in: routine).map { .end($0) } ?? .stay }
    if declaration.kind == .transition, let reply = declaration["reply"] {
      return .reply(self.reply(reply, standing: standing))
    }
    return .stay
  }

  /// The index of the state that `goto` names.
  private mutating func state(_ name: String, at site: Site, in routine: Int) -> Int? {
    if let index = stateNames[routine][name] { return index }
    // Who thinks of a path writes those around it too.
    let inner = name.split(whereSeparator: { "./#".contains($0) }).last.map { String($0) } ?? name
    let isInside = inner != name && stateNames[routine][inner] != nil
    let help =
      isInside
      ? "a state is named without those around it: \"\(inner)\"" : helpWithState(inner, insteadOfIn: routine)
    // What it surely is says more than what it nearly is.
    let names = help == nil ? sortedStateNames(routine) : []
    let owner = purpose == .app ? "flow" : "service"
    compilation.unknown(
      "state", name, at: site, among: names,
      "\"goto\" names the state \"\(name)\", which this \(owner) does not have", help: help,
      entitled: slots.first { $0.routine == routine && $0.declaration["title"]?.string == name }?.name)
    return nil
  }

  /// What a name is that is no state of a routine.
  private func helpWithState(_ name: String, insteadOfIn routine: Int) -> String? {
    if let other = stateNames.firstIndex(where: { $0[name] != nil }) {
      let owner = other == 0 ? "the flow itself" : "the sub-flow \"\(routines[other].name)\""
      return "it is a state of \(owner): \"goto\" stays in its own flow; use \"call\" or \"end\""
    }
    if !name.isEmpty, routines.contains(where: { $0.name == name }) {
      return "it is a sub-flow: go to a state with \"call\": \"\(name)\""
    }
    return endNames[routine].contains(name) ? "it is an end: write \"end\": \"\(name)\"" : nil
  }

  /// Sorted once, however many names are wrong.
  private mutating func sortedStateNames(_ routine: Int) -> [String] {
    if let names = sortedNames[routine] { return names }
    let names = stateNames[routine].keys.sorted()
    sortedNames[routine] = names
    return names
  }

  /// The end that a state or transition names: of a sub-flow one that it declares.
  mutating func end(_ declaration: Declaration, in routine: Int) -> String? {
    guard purpose == .app, let name = declaration.string else { return nil }
    compilation.ledger.use(.end, "\(routines[routine].name).\(name)")
    if endNames[routine].contains(name) || broken.contains(routines[routine].name) { return name }
    let ends = routines[routine].ends
    let isState = stateNames[routine][name] != nil
    compilation.unknown(
      "end", name, at: declaration.site, among: ends,
      "\"end\" names the end \"\(name)\", which this sub-flow does not declare",
      help: isState ? "it is a state: write \"goto\": \"\(name)\"" : "add it to \"ends\"\(ends.nowThere)")
    return nil
  }

  mutating func handlers(_ entries: [Declaration.Entry], in routine: Int, standing: Standing) -> [EventHandler] {
    entries.compactMap { entry in
      guard let event = event(entry.name, at: entry.nameSite) else { return nil }
      let link = surroundings.link(ofEvent: entry.name)
      let isBroken = broken.contains(entry.name) || link.map { $0.variables == nil } == true
      let standing =
        isBroken ? standing.reading("event", .dyn, .event) : standing.reading(events[event])
      refuseEmpty(entry)
      checkTried(entry.value.items.dropLast())
      let transitions = entry.value.items.map { transition($0, in: routine, standing: standing) }
      return EventHandler(event: event, transitions: transitions)
    }
  }

  /// No transition at all would keep the event from those of the states around.
  private mutating func refuseEmpty(_ handler: Declaration.Entry) {
    guard handler.value.items.isEmpty, !handler.value.isDamaged else { return }
    compilation.findings.error(
      "missing-transition", "\"\(handler.name)\" has an empty list", at: handler.value.site, "nothing takes the event",
      help: "leave it out, or write {} where the event is to be taken and nothing comes of it")
  }

  /// When it is due is worked out as the state is entered, behind its `do`: `arming`.
  mutating func timer(
    _ declaration: Declaration, in routine: Int, arming: Standing, standing: Standing
  ) -> Timer? {
    let transition = transition(declaration, in: routine, standing: standing)
    guard let span = declaration["wait"] ?? declaration["at"] else { return nil }
    let isWait = declaration.has("wait")
    let placed =
      due(span, Destined(title: isWait ? "wait" : "at", type: isWait ? .duration : .timestamp), arming)
      // The transition counts even where the time is wrong.
      ?? compilation.template("1s", at: span.site, in: arming)
    return placed.map { Timer(due: isWait ? .wait($0) : .at($0), transition: [transition]) }
  }

  /// A span or an instant: a template of that type, or its plain text.
  private mutating func due(_ declaration: Declaration, _ destined: Destined, _ standing: Standing) -> PlacedTemplate? {
    guard let placed = compilation.template(declaration, in: standing, mayBeText: false) else { return nil }
    if let text = placed.template.literalText {
      let literal = compilation.literal(text, at: declaration.site, into: destined, in: standing.scope)
      if case .duration = literal, text.utf8.first == UInt8(ascii: "-") {
        compilation.findings.wrongDuration(text, named: "\"wait\"", at: declaration.site)
      }
    } else if !destined.type.takes(placed.template.type) {
      compilation.mismatch(
        destined, placed.template.type.description, at: declaration.site, help: destined.type.conversion)
    } else {
      compilation.noteTime(placed, named: destined.title, in: standing)
    }
    return placed
  }

  /// The `when` of a transition, which has none where nothing else is left.
  private mutating func guardOf(_ when: Declaration, standing: Standing) -> Condition? {
    guard when.string == "else" else { return condition(when, standing: standing) }
    compilation.findings.error(
      "expression-syntax", "\"else\" is no condition", at: when.site, "not an expression",
      help: "leave \"when\" out: what has none is taken where nothing before it is")
    return nil
  }

  mutating func condition(_ declaration: Declaration, standing: Standing) -> Condition? {
    if let source = declaration.string {
      return compilation.expression(source, at: declaration.site, in: standing, expecting: .bool)
        .map { .expression($0) }
    }
    guard declaration.kind == .condition else { return nil }
    for name in ["all", "any"] { compilation.refuseEmpty(declaration[name], name, help: "list its conditions") }
    if let all = declaration["all"] { return .all(lines(all.items, standing: standing)) }
    if let any = declaration["any"] { return .any(lines(any.items, standing: standing)) }
    return declaration["not"].flatMap { condition($0, standing: standing) }.map { .not($0) }
  }

  /// They are looked at in order: what one tests need not be tested by those behind it.
  private mutating func lines(_ declarations: [Declaration], standing: Standing) -> [Condition] {
    var standing = standing
    return declarations.compactMap { declaration in
      let condition = condition(declaration, standing: standing)
      standing.tested.addMissing(condition?.expressions.flatMap(\.expression.facts.tested) ?? [])
      return condition
    }
  }
}
