extension Kind {
  /// Flows, and what the machines of flows and services are made of.
  var machineGrammar: Grammar? {
    switch self {
    case .flow:
      Grammar(
        "a flow",
        [
          "$schema": .text, "format": .whole, "flow": .label, "source": .object(.source),
          "participants": .map(.participant), "config": .map(.object(.configKey)), "store": .map(.object(.key)),
          "memory": .map(.object(.key)), "events": .map(.object(.event)), "emits": .map(.map(.object(.field))),
          "screens": .map(.object(.screen)), "let": .map(.textOr(.definition)),
          "actions": .map(.list(.textOr(.action))), "start": .name, "states": .map(.object(.state)),
          "flows": .map(.object(.subflow)), "on": .map(.oneOrMore(.object(.transition))),
          "after": .list(.object(.timer)),
        ], required: ["flow", "participants", "start", "states"])
    case .source: Grammar("a source", ["refs": .map(.text)], required: ["refs"])
    case .key:
      Grammar(
        "a key",
        [
          "type": .word(TypeName.words), "one of": .list(.label), "rows": .map(.object(.rowField)), "secret": .flag,
          "group": .oneOrMore(.label), "initial": .value,
        ], exactlyOne: [["type", "one of", "rows"]])
    case .rowField:
      Grammar(
        "a field of rows",
        ["type": .word(TypeName.words), "one of": .list(.label), "secret": .flag, "initial": .value],
        exactlyOne: [["type", "one of"]])
    case .configKey:
      Grammar(
        "a config key",
        ["type": .word(TypeName.words), "one of": .list(.label), "secret": .flag, "value": .value],
        required: ["value"], exactlyOne: [["type", "one of"]])
    case .field:
      Grammar(
        "a field",
        ["type": .word(TypeName.words), "one of": .list(.label), "secret": .flag, "example": .value],
        exactlyOne: [["type", "one of"]])
    case .event: Grammar("an event", ["fields": .map(.object(.field))])
    case .screen: Grammar("a screen", ["fields": .map(.object(.field))])
    case .definition: Grammar("a definition", ["is": .expression], required: ["is"])
    case .subflow:
      Grammar(
        "a sub-flow",
        [
          "ends": .list(.label), "start": .name, "states": .map(.object(.state)),
          "on": .map(.oneOrMore(.object(.transition))), "after": .list(.object(.timer)),
        ], required: ["ends", "start", "states"])
    default: nil
    }
  }

  /// States, transitions and what takes time.
  var activityGrammar: Grammar? {
    switch self {
    case .state:
      Grammar(
        "a state",
        [
          "do": .list(.textOr(.action)), "request": .object(.request), "perform": .textOr(.perform), "call": .name,
          "next": .list(.object(.transition)), "on": .map(.oneOrMore(.object(.transition))),
          "after": .list(.object(.timer)), "start": .name, "states": .map(.object(.state)), "end": .label,
          "goal": .flag, "rest": .flag,
        ], atMostOne: [["request", "perform", "call", "states", "end"]])
    case .transition:
      Grammar("a transition", Self.transitionMembers, atMostOne: [["goto", "end", "reply"]])
    case .timer:
      Grammar(
        "a timer",
        [
          "wait": .template, "at": .template, "name": .label, "when": .textOr(.condition),
          "do": .list(.textOr(.action)), "goto": .name, "end": .label,
        ], exactlyOne: [["wait", "at"]], atMostOne: [["goto", "end"]])
    case .condition:
      Grammar(
        "a condition",
        ["all": .list(.textOr(.condition)), "any": .list(.textOr(.condition)), "not": .textOr(.condition)],
        exactlyOne: [["all", "any", "not"]])
    case .request:
      Grammar(
        "a request",
        [
          "to": .name, "get": .template, "post": .template, "put": .template, "patch": .template,
          "delete": .template, "query": .map(.value), "headers": .map(.value), "bearer": .template, "json": .value,
          "form": .map(.value), "text": .template, "timeout": .duration, "retry": .object(.retry),
        ], required: ["to"], exactlyOne: [["get", "post", "put", "patch", "delete"]],
        atMostOne: [["json", "form", "text"]])
    case .retry:
      Grammar(
        "a retry",
        [
          "when": .textOr(.condition), "most": .whole, "wait": .duration, "factor": .number,
          "do": .list(.textOr(.action)), "call": .name,
        ], required: ["when", "most"])
    case .perform:
      Grammar("a perform", ["capability": .name, "with": .map(.value)], required: ["capability"])
    default: nil
    }
  }

  private static let transitionMembers: KeyValuePairs<String, Shape> = [
    "name": .label, "when": .textOr(.condition), "sometimes": .flag, "do": .list(.textOr(.action)), "goto": .name,
    "end": .label, "reply": .object(.reply),
  ]
}
