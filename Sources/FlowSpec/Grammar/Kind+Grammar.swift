extension Kind {
  static let grammars: KeyValuePairs<Kind, Grammar> = [
    // Flows, and what the machines of flows and services are made of.
    .flow: Grammar(
      "a flow",
      [
        "$schema": .text, "format": .whole, "flow": .label, "source": .object(.source),
        "participants": .map(.participant), "config": .map(.object(.configKey)), "store": .map(.object(.key)),
        "memory": .map(.object(.key)), "events": .map(.object(.event)), "emits": .map(.map(.object(.field))),
        "screens": .map(.object(.screen)), "let": .map(.textOr(.definition)),
        "actions": .map(.list(.textOr(.action))), "start": .name, "states": .map(.object(.state)),
        "flows": .map(.object(.subflow)), "on": .map(.oneOrMore(.object(.transition))),
        "after": .list(.object(.timer)),
      ], required: ["flow", "participants", "start", "states"]),
    .source: Grammar("a source", ["refs": .map(.text)], required: ["refs"]),
    .key: Grammar(
      "a key",
      [
        "type": .word(TypeName.words), "one of": .list(.label), "rows": .map(.object(.rowField)), "secret": .flag,
        "group": .oneOrMore(.label), "initial": .value,
      ], exactlyOne: [["type", "one of", "rows"]]),
    .rowField: Grammar(
      "a field of rows",
      ["type": .word(TypeName.words), "one of": .list(.label), "secret": .flag, "initial": .value],
      exactlyOne: [["type", "one of"]]),
    .configKey: Grammar(
      "a config key",
      ["type": .word(TypeName.words), "one of": .list(.label), "secret": .flag, "value": .value],
      required: ["value"], exactlyOne: [["type", "one of"]]),
    .field: Grammar(
      "a field",
      ["type": .word(TypeName.words), "one of": .list(.label), "secret": .flag, "example": .value],
      exactlyOne: [["type", "one of"]]),
    .event: Grammar("an event", ["fields": .map(.object(.field))]),
    .screen: Grammar("a screen", ["fields": .map(.object(.field))]),
    .definition: Grammar("a definition", ["is": .expression], required: ["is"]),
    .subflow: Grammar(
      "a sub-flow",
      [
        "ends": .list(.label), "start": .name, "states": .map(.object(.state)),
        "on": .map(.oneOrMore(.object(.transition))), "after": .list(.object(.timer)),
      ], required: ["ends", "start", "states"]),
    // States, transitions and what takes time.
    .state: Grammar(
      "a state",
      [
        "do": .list(.textOr(.action)), "request": .object(.request), "perform": .textOr(.perform), "call": .name,
        "next": .list(.object(.transition)), "on": .map(.oneOrMore(.object(.transition))),
        "after": .list(.object(.timer)), "start": .name, "states": .map(.object(.state)), "end": .label,
        "goal": .flag, "rest": .flag,
      ], atMostOne: [["request", "perform", "call", "states", "end"]]),
    .transition: Grammar(
      "a transition",
      [
        "name": .label, "when": .textOr(.condition), "sometimes": .flag, "do": .list(.textOr(.action)), "goto": .name,
        "end": .label, "reply": .object(.reply),
      ], atMostOne: [["goto", "end", "reply"]]),
    .timer: Grammar(
      "a timer",
      [
        "wait": .template, "at": .template, "name": .label, "when": .textOr(.condition),
        "do": .list(.textOr(.action)), "goto": .name, "end": .label,
      ], exactlyOne: [["wait", "at"]], atMostOne: [["goto", "end"]]),
    .condition: Grammar(
      "a condition",
      ["all": .list(.textOr(.condition)), "any": .list(.textOr(.condition)), "not": .textOr(.condition)],
      exactlyOne: [["all", "any", "not"]]),
    .request: Grammar(
      "a request",
      [
        "to": .name, "get": .template, "post": .template, "put": .template, "patch": .template,
        "delete": .template, "query": .map(.value), "headers": .map(.value), "bearer": .template, "json": .value,
        "form": .map(.value), "text": .template, "timeout": .duration, "retry": .object(.retry),
      ], required: ["to"], exactlyOne: [["get", "post", "put", "patch", "delete"]],
      atMostOne: [["json", "form", "text"]]),
    .retry: Grammar(
      "a retry",
      [
        "when": .textOr(.condition), "most": .whole, "wait": .duration, "factor": .number,
        "do": .list(.textOr(.action)), "call": .name,
      ], required: ["when", "most"]),
    .perform: Grammar("a perform", ["capability": .name, "with": .map(.value)], required: ["capability"]),
    // What stands in `do`.
    .action: Grammar(
      "an action",
      [
        "set": .map(.value), "clear": .oneOrMore(.text), "emit": .map(.map(.value)), "show": .map(.map(.value)),
        "open": .object(.open), "close": .word(["browser"]), "send": .map(.object(.mail)),
      ], exactlyOne: [["set", "clear", "emit", "show", "open", "close", "send"]]),
    .open: Grammar("an open", ["to": .name, "get": .template, "query": .map(.value)], required: ["to", "get"]),
    .mail: Grammar("a mail", ["to": .template, "subject": .template, "text": .template, "links": .map(.template)]),
    // Service documents and what they answer with.
    .service: Grammar(
      "a service",
      [
        "$schema": .text, "format": .whole, "service": .label, "secrets": .list(.label),
        "config": .map(.object(.configKey)), "store": .map(.object(.key)), "memory": .map(.object(.key)),
        "let": .map(.textOr(.definition)), "actions": .map(.list(.textOr(.action))),
        "sometimes": .list(.object(.transition)), "routes": .list(.object(.route)),
        "states": .map(.object(.state)),
      ], required: ["service", "routes"]),
    .route: Grammar("a route", ["on": .text, "next": .list(.object(.transition))], required: ["on", "next"]),
    .reply: Grammar(
      "a reply",
      [
        "status": status, "headers": .map(.value), "cookies": .map(.value), "json": .value, "form": .map(.value),
        "text": .template, "page": .object(.page), "redirect": .object(.redirect),
      ], atMostOne: [["json", "form", "text", "page", "redirect"]]),
    .page: Grammar(
      "a page",
      [
        "title": .template, "text": .template, "forms": .map(.object(.form)), "links": .map(.object(.pageLink)),
      ], required: ["title"]),
    .form: Grammar(
      "a form",
      [
        "to": .name, "get": .template, "post": .template, "query": .map(.value), "fields": .map(.object(.field)),
      ], exactlyOne: [["get", "post"]], atMostOne: [["get", "query"]]),
    .pageLink: link("a link"), .redirect: link("a redirect"),
    // Scenarios.
    .scenario: Grammar(
      "a scenario",
      [
        "$schema": .text, "format": .whole, "scenario": .label, "given": .object(.given),
        "script": .list(.object(.step)), "faults": .list(.object(.fault)), "ends": .name,
      ], required: ["scenario"]),
    .given: Grammar(
      "a given",
      [
        "after": .label, "store": .map(.value), "config": .map(.value), "device": .object(.deviceFacts),
        "now": .text, "services": .map(.map(.value)),
      ]),
    .deviceFacts: Grammar("a device", ["online": .flag, "native": .flag, "platform": .text]),
    .step: Grammar(
      "a step",
      [
        "event": .name, "submit": .label, "follow": .label, "with": .map(.value), "open mail": .label,
        "nth": .wholeIn(
          1...Int64.max,
          help: "it counts the mails of this name from the oldest, which is 1; the newest needs no \"nth\""),
        "link": .label, "close": .word(["browser"]), "offline": .flag, "online": .flag, "advance": .duration,
        "kill": .trueOr(.kill), "launch": .flag, "relaunch": .trueOr(.relaunch), "arrive": .template,
        "fault": .object(.fault),
      ],
      exactlyOne: [
        [
          "event", "submit", "follow", "open mail", "close", "offline", "online", "advance", "kill", "launch",
          "relaunch", "arrive", "fault",
        ]
      ]),
    .kill: Grammar(
      "a kill",
      [
        "keeping": .wholeIn(0...Int64.max, help: "it counts the durable writes that are kept: with 0 none is")
      ], required: ["keeping"]),
    .relaunch: Grammar("a relaunch", ["after": .duration], required: ["after"]),
    .fault: Grammar(
      "a fault",
      [
        "request": .text, "to": .name, "from": .name, "perform": .name, "nth": .value, "reply": .name,
        "answer": .object(.answer), "unreachable": .flag, "lost": .flag, "delay": .duration, "fails": .name,
        "result": .map(.value),
      ],
      exactlyOne: [["request", "perform"]],
      atLeastOne: [["reply", "answer", "unreachable", "lost", "delay", "fails", "result"]],
      atMostOne: [
        ["reply", "answer", "unreachable", "fails", "result"], ["reply", "unreachable", "lost", "fails", "result"],
        ["unreachable", "delay"], ["lost", "delay"],
      ]),
    .answer: Grammar(
      "an answer",
      ["status": status, "headers": .map(.value), "json": .value, "form": .map(.value), "text": .template],
      atMostOne: [["json", "form", "text"]]),
    // Participants.
    .person: participant, .browser: participant, .inbox: participant,
    .app: Grammar(
      "the app",
      ["kind": .word(participantKinds), "redirectUris": .list(.template), "links": .map(.text)],
      required: ["kind"]),
    .device: Grammar(
      "a device", ["kind": .word(participantKinds), "capabilities": .map(.object(.capability))],
      required: ["kind"]),
    .peer: Grammar(
      "a service",
      [
        "kind": .word(participantKinds), "url": .template, "model": .text, "origins": .list(.template),
        "secrets": .list(.label),
      ], required: ["kind"]),
    .capability: Grammar(
      "a capability",
      [
        "input": .map(.object(.field)), "result": .map(.object(.field)), "example": .map(.value),
        "failures": .list(.label),
      ]),
  ]

  private static let status = Shape.wholeIn(200...599, help: "leave it out for 200, or with a redirect for 302")

  private static func link(_ title: String) -> Grammar {
    Grammar(
      title, ["to": .name, "get": .template, "uri": .template, "query": .map(.value)], exactlyOne: [["get", "uri"]],
      atMostOne: [["to", "uri"]])
  }

  private static let participant = Grammar(
    "a participant", ["kind": .word(participantKinds)], required: ["kind"])

  static let participantKinds = Participant.Kind.allCases.map(\.rawValue)

  /// The kind of object that a participant's `kind` asks for.
  static func participant(_ kind: String) -> Kind {
    kind == "service" ? .peer : Kind(rawValue: kind) ?? .person
  }
}
