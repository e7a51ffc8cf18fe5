import Foundation
import Testing

/// Runs a flow with a file of answers that others may read, and that says where the browser comes back to.
private func check(arriving address: String, code: Int32, names secret: String = "") throws {
  let workshop = try Workshop()
  try workshop.write(
    """
    {"flow": "f", "participants": {"user": {"kind": "person"}, "browser": {"kind": "browser"}, "app": {"kind": "app",
        "redirectUris": ["com.example:/cb"], "links": {"in": "https://app.example/in/{key}", "help": "https://app.example/help/{key}"}}},
      "start": "a", "screens": {"got": {"fields": {"state": {"type": "string"}}}},
      "store": {"kept": {"type": "string", "secret": true}}, "events": {
        "browser.redirected": {"fields": {"code": {"type": "string", "secret": true}, "state": {"type": "string"}}},
        "link.in": {"fields": {"key": {"type": "string", "secret": true}}}, "link.help": {"fields": {"key": {"type": "string"}}}},
      "states": {
        "a": {"rest": true, "on": {
          "browser.redirected": {"do": [{"set": {"kept": "${event.code}"}}, {"show": {"got": {"state": "${event.state}"}}}]},
          "link.help": {"do": [{"show": {"got": {"state": "${event.key}"}}}]}, "link.in": {"do": [{"set": {"kept": "${event.key}"}}], "goto": "g"}}},
        "g": {"next": [{"when": "store.kept == null", "goto": "a"}, {"end": "g"}]}}}
    """, to: "f.json")
  try workshop.write(#"[{"arrive": "\#(address)"}]"#, to: "steps.json")
  let told = try workshop.flowrun.shell("chmod 644 steps.json; \"$FLOWRUN\" f.json --answers steps.json")
  #expect(told.code == code, "\(told)")
  #expect(code == 0 || told.errors.contains("\"\(secret)\" is secret"), "\(told)")
  let own = try workshop.flowrun.shell("chmod 600 steps.json; \"$FLOWRUN\" f.json --answers steps.json")
  #expect(own.code == 0, "\(own)")
}

/// An authorization code that comes back, and the key in a mailed link, are as secret as what a person types.
@Test(.timeLimit(.minutes(20))) func answersWithASecretThatArrivesAreForTheirOwnerAlone() throws {
  try check(arriving: "com.example:/cb?code=canary&state=x", code: 66, names: "code")
  try check(arriving: "com.example:/cb?state=x&c%6fde=canary", code: 66, names: "code")
  try check(arriving: "https://app.example/in/canary", code: 66, names: "key")
  try check(arriving: "https://app.example/in/ca%2Fnary", code: 66, names: "key")
  try check(arriving: "HTTPS://App.example:443/in/canary", code: 66, names: "key")
  try check(arriving: "https://app.example/x/../in/canary", code: 66, names: "key")
  try check(arriving: "https://app.example:/in/canary", code: 66, names: "key")
  try check(arriving: "com.example:/cb?${'code'}=canary", code: 66, names: "code")
  try check(arriving: "com.example:/cb?state=x", code: 0)
  try check(arriving: "com.example:/cb?x=%3Fcode%3D1&state=a", code: 0)
  try check(arriving: "https://app.example/help/bob", code: 0)
}
