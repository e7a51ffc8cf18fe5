extension Kind {
  var scenarioGrammar: Grammar? {
    switch self {
    case .scenario:
      Grammar(
        "a scenario",
        [
          "$schema": .text, "format": .whole, "scenario": .label, "given": .object(.given),
          "script": .list(.object(.step)), "faults": .list(.object(.fault)), "ends": .name,
        ], required: ["scenario"])
    case .given:
      Grammar(
        "a given",
        [
          "after": .label, "store": .map(.value), "config": .map(.value), "device": .object(.deviceFacts),
          "now": .template, "services": .map(.map(.value)),
        ])
    case .deviceFacts: Grammar("a device", ["online": .flag, "native": .flag, "platform": .text])
    case .step:
      Grammar(
        "a step",
        [
          "event": .name, "submit": .label, "follow": .label, "with": .map(.value), "open mail": .label, "link": .label,
          "close": .word(["browser"]), "offline": .flag, "online": .flag, "advance": .duration,
          "kill": .trueOr(.kill), "launch": .flag, "relaunch": .trueOr(.relaunch), "arrive": .template,
        ],
        exactlyOne: [
          [
            "event", "submit", "follow", "open mail", "close", "offline", "online", "advance", "kill", "launch",
            "relaunch", "arrive",
          ]
        ])
    case .kill: Grammar("a kill", ["keeping": .whole], required: ["keeping"])
    case .relaunch: Grammar("a relaunch", ["after": .duration], required: ["after"])
    case .fault:
      Grammar(
        "a fault",
        [
          "request": .text, "to": .name, "from": .name, "perform": .name, "nth": .value, "reply": .name,
          "answer": .object(.answer), "unreachable": .flag, "lost": .flag, "delay": .duration, "fails": .name,
        ], exactlyOne: [["request", "perform"], ["reply", "answer", "unreachable", "lost", "delay", "fails"]])
    case .answer:
      Grammar(
        "an answer",
        ["status": .whole, "headers": .map(.value), "json": .value, "form": .map(.value), "text": .template],
        atMostOne: [["json", "form", "text"]])
    default: nil
    }
  }

  var participantGrammar: Grammar {
    let kind: KeyValuePairs<String, Shape> = ["kind": .word(Self.participantKinds)]
    switch self {
    case .app:
      return Grammar(
        "the app",
        ["kind": .word(Self.participantKinds), "redirectUris": .list(.template), "links": .map(.text)],
        required: ["kind"])
    case .device:
      return Grammar(
        "a device", ["kind": .word(Self.participantKinds), "capabilities": .map(.object(.capability))],
        required: ["kind"])
    case .peer:
      return Grammar(
        "a service",
        [
          "kind": .word(Self.participantKinds), "url": .template, "model": .text, "origins": .list(.template),
          "secrets": .list(.text),
        ], required: ["kind"])
    case .capability:
      return Grammar(
        "a capability",
        [
          "input": .map(.object(.field)), "result": .map(.object(.field)), "example": .map(.value),
          "failures": .list(.label),
        ])
    default: return Grammar("a participant", kind, required: ["kind"])
    }
  }

  static let participantKinds = ["person", "app", "browser", "inbox", "device", "service"]

  /// The kind of object that a participant's `kind` asks for.
  static func participant(_ kind: String) -> Kind {
    kind == "service" ? .peer : Kind(rawValue: kind) ?? .person
  }
}
