/// The kinds of objects that the language defines.
enum Kind: String, Sendable, CaseIterable {
  case flow, source, key, rowField, configKey, field, event, screen, definition, subflow
  case state, transition, timer, condition
  case request, retry, perform, open
  case action, mail
  case service, route, reply, page, form, pageLink, redirect
  case scenario, given, deviceFacts, step, kill, relaunch, fault, answer
  case person, app, browser, inbox, device, peer, capability
}
