import Expressions

extension MachineBuilder {
  /// Gives every state its index, so that `goto` can name what comes later.
  mutating func collectStates() {
    addRoutine("", document, ends: nil)
    guard purpose == .app else { return }
    for entry in document["flows"].entries {
      compilation.ledger.declare(.flow, entry.name, at: entry.nameSite)
      if entry.value.isDamaged || entry.value["ends"]?.isDamaged != false { broken.insert(entry.name) }
      for end in entry.value["ends"].items {
        compilation.ledger.declare(.end, "\(entry.name).\(end.string ?? "")", at: end.site)
      }
      if routineIndices[entry.name] == nil { routineIndices[entry.name] = routines.count }
      addRoutine(entry.name, entry.value, ends: entry.value["ends"].items.compactMap(\.string))
    }
  }

  private mutating func addRoutine(_ name: String, _ declaration: Declaration, ends: [String]?) {
    let routine = routines.count
    // The opening brace stands for the whole.
    let site = declaration.site.start
    let ends = ends ?? mainEnds
    routines.append(Routine(name: name, title: declaration["title"]?.string, root: slots.count, ends: ends))
    stateNames.append([:])
    endNames.append(Set(ends))
    slots.append(Slot(name: "", declaration: declaration, parent: nil, routine: routine, site: site))
    addStates(declaration["states"].entries, parent: slots.count - 1, routine: routine)
  }

  private mutating func addStates(_ entries: [Declaration.Entry], parent: Int, routine: Int) {
    for entry in entries {
      if let first = stateNames[routine][entry.name] {
        compilation.findings.error(
          "duplicate-state", "\"\(entry.name)\" names two states", at: entry.nameSite, "again",
          help: "names of states are unique in a flow or sub-flow, however deep they stand",
          related: (slots[first].site, "first"))
        continue
      }
      stateNames[routine][entry.name] = slots.count
      slots.append(
        Slot(name: entry.name, declaration: entry.value, parent: parent, routine: routine, site: entry.nameSite))
      addStates(entry.value["states"].entries, parent: slots.count - 1, routine: routine)
    }
  }

  /// The ends of a main flow are those that it names.
  private var mainEnds: [String] {
    guard purpose == .app else { return [] }
    var (ends, seen): ([String], Set<String>) = ([], [])
    func note(_ declaration: Declaration) {
      if let end = declaration["end"]?.string, seen.insert(end).inserted { ends.append(end) }
    }
    func visit(_ holder: Declaration) {
      if holder.kind == .state {
        note(holder)
        holder["next"].items.forEach(note)
      }
      (holder["on"].entries.flatMap(\.value.items) + holder["after"].items).forEach(note)
      for entry in holder["states"].entries { visit(entry.value) }
    }
    visit(document)
    return ends
  }

  mutating func state(_ index: Int) -> State {
    let slot = slots[index]
    let declaration = slot.declaration
    let isRoot = slot.parent == nil
    // In a service the request that is being answered can be read in every state.
    var standing = purpose == .app ? base : base.reading(requestWithPath: anyPath)
    if purpose == .app { standing.state = index }
    if !isRoot { refuseMisplaced(in: declaration) }
    let isService = purpose == .service
    let entry = isRoot ? [] : actions(declaration["do"], standing: standing)
    let waiting = onlyWaits(declaration) ? standing.waiting(behind: entry) : standing.atAnotherTime
    var (activity, nextStanding) = activity(of: slot, index, standing: standing, waiting: waiting, behind: entry)
    // That two of them stand there is told; what is read may be of either.
    if !isRoot, ["request", "perform", "call", "states", "end"].count(where: declaration.has) > 1 {
      nextStanding = nextStanding.reading("response", .dyn, .response).reading("result", .dyn, .result)
    }
    let next =
      isRoot ? [] : declaration["next"].items.map { transition($0, in: slot.routine, standing: nextStanding) }
    let on = isService ? [] : handlers(declaration["on"].entries, in: slot.routine, standing: waiting)
    let arming = standing.behind(entry)
    let after =
      isService
      ? [] : declaration["after"].items.compactMap { timer($0, in: slot.routine, arming: arming, standing: waiting) }
    if !isRoot { checkNext(of: declaration, named: slot) }
    return State(
      name: slot.name, title: isRoot ? nil : declaration["title"]?.string, parent: slot.parent, routine: slot.routine,
      refs: isRoot ? [] : compilation.refs(of: declaration), entry: entry, activity: activity, next: next, on: on,
      after: after, isGoal: !isRoot && declaration["goal"]?.flag == true,
      isRest: !isRoot && declaration["rest"]?.flag == true, site: slot.site, extent: declaration.site)
  }

  /// A service is asked by others while it waits; sub-flows and the states inside do what they like.
  private func onlyWaits(_ declaration: Declaration) -> Bool {
    purpose == .app && declaration.kind == .state && !declaration.has("states") && !declaration.has("call")
      && declaration["request"]?["retry"]?["call"] == nil
  }

  /// What a state does, and what its `next` can read.
  ///
  /// What it does first has been set when it asks or decides; what is set may have changed until it is answered.
  private mutating func activity(
    of slot: Slot, _ index: Int, standing: Standing, waiting: Standing, behind entry: [Action]
  ) -> (State.Activity, Standing) {
    let declaration = slot.declaration
    if slot.parent == nil || declaration.has("states") {
      guard purpose == .app || slot.parent != nil else { return (.none, standing) }
      return (compound(slot, index), standing)
    }
    if let request = declaration["request"] {
      // What comes before another try may change it, too.
      let isChanged = ["do", "call"].contains { request["retry"]?[$0] != nil }
      let spec = self.request(request, standing: isChanged ? standing.atAnotherTime : standing.behind(entry))
      var next = waiting.readingResponse(of: spec?.to)
      if let call = request["retry"]?["call"] { next = ended(call, isNullable: true, in: next) }
      return (spec.map { .request($0) } ?? .none, next)
    }
    if let perform = declaration["perform"] {
      guard let (spec, result) = self.perform(perform, standing: standing.behind(entry)) else {
        return (.none, waiting.reading("result", .dyn, .result))
      }
      return (.perform(spec), waiting.reading(result: result))
    }
    if let call = declaration["call"] {
      return (routine(call).map { .call($0) } ?? .none, ended(call, isNullable: false, in: standing.atAnotherTime))
    }
    if let end = declaration["end"] { return (self.end(end, in: slot.routine).map { .end($0) } ?? .none, standing) }
    guard declaration.isDamaged else { return (.none, standing.behind(entry)) }
    // What the state waits for may be what could not be read.
    return (.none, standing.reading("response", .dyn, .response).reading("result", .dyn, .result))
  }

  /// With `result.ended` in scope; of a sub-flow that is not there it may be anything.
  private func ended(_ call: Declaration, isNullable: Bool, in standing: Standing) -> Standing {
    guard let name = call.string, let index = routineIndices[name], !broken.contains(name) else {
      return standing.reading("result", .dyn, .result)
    }
    return standing.reading(result: Standing.ended(routines[index].ends, isNullable: isNullable))
  }

  private mutating func compound(_ slot: Slot, _ index: Int) -> State.Activity {
    guard let start = slot.declaration["start"], let name = start.string else {
      if slot.parent != nil, !slot.declaration.isDamaged {
        compilation.findings.error(
          "missing-member", "a state with \"states\" needs \"start\"", at: slot.site, "enters none of its states",
          help: "add \"start\" with the name of the state that it enters first")
      }
      return .none
    }
    if let target = stateNames[slot.routine][name], slots[target].parent == index { return .compound(start: target) }
    let inside = slots.filter { $0.parent == index }.map(\.name)
    compilation.unknown(
      "state", name, at: start.site, among: inside,
      "\"start\" names the state \"\(name)\", which does not stand in \"states\" beside it")
    return .none
  }

  /// Refuses calls that are one level too many; of sub-flows in a circle, which is told elsewhere, and behind it none is.
  mutating func refuseDeepCalls(of states: [State]) {
    guard routines.count > Self.deepest else { return }
    var (levels, callers) = (routines.map { _ in 0 }, routines.map { _ in 0 })
    let calling = Dictionary(grouping: states.indices.filter { !states[$0].calls.isEmpty }) { states[$0].routine }
    for called in states.flatMap(\.calls) { callers[called] += 1 }
    var pending = routines.indices.filter { callers[$0] == 0 }
    while let routine = pending.popLast() {
      for (index, called) in (calling[routine] ?? []).flatMap({ index in states[index].calls.map { (index, $0) } }) {
        levels[called] = max(levels[called], levels[routine] + 1)
        callers[called] -= 1
        if callers[called] == 0 { pending.append(called) }
        guard levels[routine] == Self.deepest else { continue }
        let call = slots[index].declaration["call"] ?? slots[index].declaration["request"]?["retry"]?["call"]
        compilation.findings.error(
          "too-deep", "sub-flows call one another more than \(Self.deepest) levels deep",
          at: call?.site ?? slots[index].site, "one level too many")
      }
    }
  }

  /// The index of a sub-flow that `call` names.
  mutating func routine(_ declaration: Declaration) -> Int? {
    guard let name = declaration.string else { return nil }
    compilation.ledger.use(.flow, name)
    if let index = routineIndices[name] { return index }
    let flows = routines.dropFirst().map(\.name)
    compilation.unknown(
      "flow", name, at: declaration.site, among: flows,
      "\"call\" names the sub-flow \"\(name)\", which is not declared",
      help: stateNames.contains { $0[name] != nil }
        ? "it is a state: \"goto\" leads to it" : "add it to \"flows\"\(flows.nowThere)")
    return nil
  }
}
