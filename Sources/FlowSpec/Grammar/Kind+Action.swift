extension Kind {
  /// What stands in `do`.
  var actionGrammar: Grammar? {
    switch self {
    case .action:
      Grammar(
        "an action",
        [
          "set": .map(.value), "clear": .oneOrMore(.text), "emit": .map(.map(.value)), "show": .map(.map(.value)),
          "open": .object(.open), "close": .word(["browser"]), "send": .map(.object(.mail)),
        ], exactlyOne: [["set", "clear", "emit", "show", "open", "close", "send"]])
    case .open:
      Grammar("an open", ["to": .name, "get": .template, "query": .map(.value)], required: ["to", "get"])
    case .mail:
      Grammar("a mail", ["to": .template, "subject": .template, "text": .template, "links": .map(.template)])
    default: nil
    }
  }

  /// Service documents and what they answer with.
  var serviceGrammar: Grammar? {
    switch self {
    case .service:
      Grammar(
        "a service",
        [
          "$schema": .text, "format": .whole, "service": .label, "secrets": .list(.text),
          "config": .map(.object(.configKey)), "store": .map(.object(.key)), "memory": .map(.object(.key)),
          "let": .map(.textOr(.definition)), "actions": .map(.list(.textOr(.action))),
          "sometimes": .list(.object(.transition)), "routes": .list(.object(.route)),
          "states": .map(.object(.state)),
        ], required: ["service", "routes"])
    case .route: Grammar("a route", ["on": .text, "next": .list(.object(.transition))], required: ["on", "next"])
    case .reply:
      Grammar(
        "a reply",
        [
          "status": .whole, "headers": .map(.value), "cookies": .map(.value), "json": .value, "form": .map(.value),
          "text": .template, "page": .object(.page), "redirect": .object(.redirect),
        ], atMostOne: [["json", "form", "text", "page", "redirect"]])
    case .page:
      Grammar(
        "a page",
        [
          "title": .template, "text": .template, "forms": .map(.object(.form)), "links": .map(.object(.pageLink)),
        ], required: ["title"])
    case .form:
      Grammar(
        "a form",
        [
          "to": .name, "get": .template, "post": .template, "query": .map(.value), "fields": .map(.object(.field)),
        ], exactlyOne: [["get", "post"]])
    case .pageLink, .redirect:
      Grammar(
        self == .pageLink ? "a link" : "a redirect",
        ["to": .name, "get": .template, "uri": .template, "query": .map(.value)],
        exactlyOne: [["get", "uri"]], atMostOne: [["to", "uri"]])
    default: nil
    }
  }
}
