import Expressions
import FlowSpec
import Foundation
import Testing

@testable import FlowEngine

/// A world in which much is renumbered: fresh values, identifiers, instants, mail, cookies, retries.
let whereMuchIsRenumbered = Sketch(
  flow: #"""
    "store": {"token": {"type": "string", "secret": true}, "until": {"type": "timestamp"}}, "memory": {"state": {"type": "string"}},
    "events": {"user.x": {}, "user.page": {}, "device.online": {}}, "start": "see", "states": {
      "see": {"rest": true, "after": [{"wait": "10m", "goto": "ask"}], "on": {"user.x": {"goto": "ask"}, "device.online": {"goto": "ask"},
        "user.page": {"do": [{"set": {"state": "${fresh('state')}"}}, {"open": {"to": "api", "get": "/page"}}]}}},
      "ask": {"request": {"to": "api", "post": "/token", "json": {"old": "${store.?token}"}, "retry": {"when": "response.status == 503", "most": 2, "wait": "3s"}},
        "next": [{"when": "response.status == 200", "do": [{"set": {"token": "${response.json.token}", "until": "${now + duration('1h')}"}}], "goto": "done"}, {"goto": "see"}]},
      "done": {"goal": true, "on": {"user.x": [{"when": "expired(store.until, '60s')", "goto": "ask"}, {"goto": "see"}]}}}
    """#,
  services: [
    "api": #"""
    "store": {"tokens": {"rows": {"owner": {"type": "string"}, "at": {"type": "timestamp"}}}}, "memory": {"t": {"type": "string"}},
    "sometimes": [{"name": "busy", "reply": {"status": 503}}], "routes": [
      {"on": "POST /token", "next": [{"do": [{"set": {"t": "${fresh('token')}"}}, {"set": {"tokens[memory.t]": {"owner": "${newId('owner')}", "at": "${now}"}}}, {"send": {"note": {}}}],
        "reply": {"status": 200, "cookies": {"c": "${memory.t}"}, "json": {"token": "${memory.t}"}}}]},
      {"on": "GET /page", "next": [{"reply": {"page": {"title": "P", "links": {"more": {"get": "/page"}}}}}]}]
    """#
  ])

/// Takes choices by chance, and holds each canonical form against the snapshot that it stands for.
private func checkWalk(
  _ world: World, seed: UInt64, steps: Int, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  var random = seed
  var snapshot = world.initial(now: .start)
  for _ in 0..<steps {
    let canonical = world.canonical(snapshot)
    let isIdempotent = world.canonical(canonical) == canonical
    #expect(isIdempotent, "canonical changes its own result", sourceLocation: sourceLocation)
    #expect(world.print(of: snapshot) == world.print(of: canonical), sourceLocation: sourceLocation)
    let choices = world.inAnyOrder(in: snapshot)
    let others = world.inAnyOrder(in: canonical)
    guard choices.count == others.count, !choices.isEmpty else {
      return #expect(Bool(false), "other choices in the canonical form", sourceLocation: sourceLocation)
    }
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let index = Int(random >> 33) % choices.count
    let next = world.take(choices[index], in: snapshot, recording: false)
    let other = world.take(others[index], in: canonical, recording: false)
    #expect(next.failure?.message == other.failure?.message, sourceLocation: sourceLocation)
    if next.failure != nil { return }
    let isSame = world.canonical(next.snapshot) == world.canonical(other.snapshot)
    #expect(isSame, "\(choices[index])", sourceLocation: sourceLocation)
    snapshot = next.snapshot
  }
}

@Test(arguments: 1...20)
func whatIsCanonicallyEqualStaysSo(seed: Int) throws {
  try checkWalk(World(whereMuchIsRenumbered.load()), seed: UInt64(seed) &* 7_919, steps: 60)
}

/// The times by which an exploration looks at instants once it has met them all.
func knownTimes(of world: World, most: Int) -> Times {
  var explorer = Explorer(world: world, most: most)
  explorer.explore()
  return explorer.times.isNew ? knownTimes(of: World(world.flow, times: explorer.times.known), most: most) : world.times
}

/// Explores with all that can be remembered of moves, with little of it, and with nothing.
func checkMemory(_ world: World, most: Int, sourceLocation: SourceLocation = #_sourceLocation) {
  let world = World(world.flow, settlesOrphans: world.settlesOrphans, times: knownTimes(of: world, most: most))
  var plain = Explorer(world: world, most: most, mostRemembered: 0)
  plain.explore()
  #expect(plain.memory.words.isEmpty, sourceLocation: sourceLocation)
  for (mostRemembered, mostOfParts) in [(1 << 22, 1 << 23), (300, 1 << 23), (1 << 22, 100)] {
    var explorer = Explorer(world: world, most: most, mostRemembered: mostRemembered, mostOfParts: mostOfParts)
    explorer.explore()
    #expect((explorer.encoding.parts.age > 0) == (mostOfParts == 100), sourceLocation: sourceLocation)
    #expect(!explorer.memory.words.isEmpty, sourceLocation: sourceLocation)
    #expect(explorer.nodes.count == plain.nodes.count, sourceLocation: sourceLocation)
    #expect(explorer.edges.map(\.from) == plain.edges.map(\.from), sourceLocation: sourceLocation)
    #expect(explorer.edges.map(\.to) == plain.edges.map(\.to), sourceLocation: sourceLocation)
    #expect(explorer.failures.map(\.node) == plain.failures.map(\.node), sourceLocation: sourceLocation)
    #expect(explorer.unreached.stateNames == plain.unreached.stateNames, sourceLocation: sourceLocation)
    #expect(explorer.unreached.transitionNames == plain.unreached.transitionNames, sourceLocation: sourceLocation)
  }
}

/// The flows that ship.
private let flowNames = try? FileManager.default.contentsOfDirectory(atPath: "\(Disk.root)flows")
  .filter { $0.hasSuffix(".json") }.sorted()

@Test(arguments: try #require(flowNames), 1...2)
func whatIsCanonicallyEqualStaysSoInFlows(name: String, seed: Int) throws {
  try checkWalk(World(Disk.flow("flows/\(name)")), seed: UInt64(seed) &* 104_729, steps: 60)
}

/// Goes through what a world can reach with full snapshots, and holds fingerprints against them.
private func checkFingerprints(
  _ world: World, most: Int, isFinite: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
) {
  var prints: [Snapshot: Fingerprint] = [:]
  var forms: [Fingerprint: Snapshot] = [:]
  var open = [world.initial(now: .start)]
  var next = 0
  while next < open.count, open.count < most {
    for choice in world.inAnyOrder(in: open[next]) {
      let snapshot = world.take(choice, in: open[next], recording: false).snapshot
      let form = world.canonical(snapshot)
      let print = world.print(of: snapshot)
      if let known = prints[form] {
        #expect(known == print, "one canonical form has two fingerprints", sourceLocation: sourceLocation)
        continue
      }
      #expect(forms[print] == nil, "two canonical forms have one fingerprint", sourceLocation: sourceLocation)
      prints[form] = print
      forms[print] = form
      open.append(snapshot)
    }
    next += 1
  }
  #expect(isFinite == (open.count < most), "\(open.count) snapshots, at most \(most)", sourceLocation: sourceLocation)
}

@Test func fingerprintsTellApartWhatCanonicalFormsTellApart() throws {
  checkFingerprints(World(try Disk.flow("flows/teos-device.json")), most: 300)
  checkFingerprints(World(try Disk.flow("Tests/Spin/rotation.json")), most: 600, isFinite: true)
}

/// Goes through what a world can reach as an exploration does, and holds what it takes over against what is made anew.
private func checkWhatIsTakenOver(
  _ world: World, most: Int, sourceLocation: SourceLocation = #_sourceLocation
) {
  var step = Step(world: world, snapshot: world.initial(now: .start), isRecording: false)
  var encoding = CanonicalEncoding(of: world.flow)
  var open: [EncodedSnapshot] = []
  for start in world.starts {
    open.append(encoding.encoded(start))
  }
  var known: Set<Fingerprint> = []
  var killed: [Fingerprint: Fingerprint] = [:]
  var answers: [Fingerprint: Step.ReadyAnswer] = [:]
  var next = 0
  while next < open.count, open.count < most {
    let base = open[next]
    let snapshot = base.snapshot
    var ready: Step.ReadyAnswer?
    for move in world.moves(in: snapshot, isStart: next < world.starts.count) {
      step.restart(in: snapshot, recording: false)
      #expect(step.snapshot == snapshot, sourceLocation: sourceLocation)
      step.cuts = []
      var report: Step.Report
      if case .deliver(let flight, let reply, .arrives) = move {
        let answer: Step.ReadyAnswer?
        (answer, report) = step.answer(to: flight, reply: reply, in: snapshot)
        if let answer {
          // What was answered to another flight would be answered to this one.
          let key = encoding.key(ofAnswerTo: flight, reply: reply, in: base)
          let given = answers[key] ?? answer
          answers[key] = given
          if reply == nil { ready = given }
          report = step.goOn(with: given, to: flight, fate: .arrives, in: snapshot)
          let isSame = step.snapshot == world.take(move, in: snapshot, recording: false).snapshot
          #expect(isSame, "\(move)", sourceLocation: sourceLocation)
        }
      } else {
        report = step.take(move)
      }
      let cuts = step.cuts ?? []
      guard report.failure == nil else { continue }
      let reached = step.snapshot.withoutWhatIsOver
      encoding.encode(reached, after: base)
      #expect(encoding.fingerprint == world.fingerprint(of: reached), sourceLocation: sourceLocation)
      if case .kill = move, let left = base.leftByKill(encoding.parts) {
        let earlier = killed.updateValue(encoding.fingerprint, forKey: left)
        #expect(earlier == nil || earlier == encoding.fingerprint, sourceLocation: sourceLocation)
      }
      if known.insert(encoding.fingerprint).inserted { open.append(encoding.keep(reached)) }
      #expect(cuts.indices == report.kills, sourceLocation: sourceLocation)
      for (keeping, cut) in cuts.enumerated() {
        _ = step.kill(at: cut)
        let killed = world.take(.killed(during: move, keeping: keeping), in: snapshot, recording: false).snapshot
        #expect(step.snapshot == killed, sourceLocation: sourceLocation)
      }
      guard case .deliver(let flight, nil, let fate) = move, fate != .arrives, let ready else { continue }
      _ = step.goOn(with: ready, to: flight, fate: fate, in: snapshot)
      #expect(step.snapshot.withoutWhatIsOver == reached, sourceLocation: sourceLocation)
    }
    next += 1
  }
}

@Test(arguments: try #require(flowNames))
func whatAnExplorationTakesOverIsWhatItWouldMakeAnew(name: String) throws {
  checkWhatIsTakenOver(World(try Disk.flow("flows/\(name)"), settlesOrphans: true), most: 250)
}

/// Models written for SPIN come to these counts; `.ci/spin` holds SPIN and flowrun against them.
@Test(arguments: ["heartbeat", "pages", "rotation"])
func aFlowHasAsManySnapshotsAsItsModelForSPIN(name: String) throws {
  let data = try Data(contentsOf: URL(fileURLWithPath: "\(Disk.root)Tests/Spin/counts.json"))
  let counts = try #require(try JSONDecoder().decode([String: [String: Int]].self, from: data)[name])
  let exploration = Exploration.of(try Disk.flow("Tests/Spin/\(name).json"))
  #expect(exploration.isComplete && exploration.findings.isEmpty)
  #expect(["snapshots": exploration.snapshots, "moves": exploration.moves] == counts)
}

@Test func theFirstSnapshotsOfTeosShowNoWeakness() throws {
  let exploration = Exploration.of(try Disk.flow("flows/teos-device.json"), most: 600)
  let kinds = Set(exploration.findings.map(\.kind))
  // A bound leaves states that are not entered yet.
  #expect(exploration.snapshots >= 600 && kinds.isSubset(of: [.neverEntered]))
}

/// Documents of the repository, by their paths in it.
private struct Disk: DocumentReader {
  static let root =
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path + "/"

  mutating func read(_ path: String) -> [UInt8]? {
    FileManager.default.contents(atPath: Self.root + path).map(Array.init)
  }

  static func flow(_ path: String) throws -> Flow {
    var disk = Disk()
    return try #require(Loading.flow(at: path, reader: &disk).value)
  }
}

extension World {
  /// The fingerprint without rounding, as exact as the canonical form.
  fileprivate func print(of snapshot: Snapshot) -> Fingerprint {
    CanonicalEncoding(snapshot, of: flow, isRounding: false).fingerprint
  }
}

@Test(arguments: try #require(flowNames))
func whatIsRememberedOfMovesIsWhatTheyDoInFlows(name: String) throws {
  checkMemory(World(try Disk.flow("flows/\(name)")), most: 1500)
}

/// A tab that is closed, of which the app hears nothing.
private let whereATabMayBeClosed = Sketch(
  flow: #"""
    "events": {"user.x": {}, "browser.redirected": {}}, "start": "out", "states": {
      "out": {"rest": true, "on": {"user.x": {"goto": "away"}}},
      "away": {"rest": true, "do": [{"open": {"to": "api", "get": "/page"}}], "on": {"browser.redirected": {"goto": "home"}}},
      "home": {"goal": true}}
    """#,
  services: [
    "api": #"""
    "routes": [{"on": "GET /page", "next": [{"reply": {"page": {"title": "P", "links": {"in": {"get": "/in"}}}}}]},
      {"on": "GET /in", "next": [{"reply": {"status": 302, "redirect": {"uri": "com.example:/cb"}}}]}]
    """#
  ], participants: ["app": #", "redirectUris": ["com.example:/cb"]"#])

@Test func whereOnlyAKillLeadsOnIsListed() throws {
  let flow = try whereATabMayBeClosed.load()
  let exploration = Exploration.of(flow)
  #expect(exploration.isComplete && exploration.findings.isEmpty)
  #expect(exploration.onlyByKill.map(\.state) == ["away"])
  let scenario = try #require(exploration.onlyByKill.first?.scenario)
  #expect(scenario.contains(#"{ "event": "user.x" }"#) && scenario.contains(#"{ "close": "browser" }"#), "\(scenario)")
  #expect(!scenario.contains("kill\":"), "\(scenario)")
}
