import FlowSpec
import Testing

/// What is said of a service that redeems codes so, and does this then.
private func told(
  redeemed: String = "", when: String = "sentCode in store.codes && store.codes[sentCode].name != ''",
  sent: String = "request.form.?code.orValue('')"
) -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
       "id": {"kind": "service", "url": "https://id.example", "model": "id.json"}},
     "memory": {"code": {"type": "string", "secret": true}},
     "start": "asking", "states": {
       "asking": {"request": {"to": "id", "post": "/codes"}, "next": [{"when": "response.status == 200", "do": [{"set": {"code": "${string(response.json.code)}"}}], "goto": "redeeming"}, {"goto": "out"}]},
       "redeeming": {"request": {"to": "id", "post": "/token", "form": {"code": "${present(memory.code) ? memory.code : ''}", "ticket": "t"}}, "next": [{"when": "response.status == 200", "goto": "home"}, {"goto": "out"}]},
       "out": {"rest": true, "after": [{"wait": "1h", "goto": "asking"}]}, "home": {"goal": true}}}
    """#,
    "id.json": #"""
    {"service": "id", "secrets": ["code"], "memory": {"code": {"type": "string", "secret": true}},
     "store": {"codes": {"rows": {"name": {"type": "string"}, "used": {"type": "bool", "initial": false}}}},
     "let": {"sentCode": "\#(sent)"},
     "routes": [
       {"on": "POST /codes", "next": [{"do": [{"set": {"code": "${fresh('code')}"}}, {"set": {"codes[memory.code]": {"name": "Ada"}}}],
         "reply": {"status": 200, "json": {"code": "${memory.code}"}}}]},
       {"on": "POST /token", "next": [{"when": "\#(when)", "do": [\#(redeemed)], "reply": {"status": 200}}, {"reply": {"status": 400}}]}]}
    """#,
  ])
  return documents.told("reusable-code").map(\.message)
}

/// A model whose codes are good as often as they come.
@Suite struct ReusableCodeTests {
  @Test func aCodeThatStaysGoodIsTold() {
    #expect(told() == [#"a code of "codes" is good as often as it comes: nothing clears or marks it"#])
    #expect(
      told(
        when:
          "request.form.?code.orValue('') in store.codes && store.codes[request.form.code].name != '' && sentCode != ''"
      ).count == 1)
  }

  @Test(arguments: [
    #"{"clear": ["codes[sentCode]"]}"#, #"{"set": {"codes[sentCode].used": true}}"#,
    #"{"set": {"codes[sentCode]": {"name": "Ada", "used": true}}}"#, #"{"clear": ["codes"]}"#,
  ])
  func whatIsUsedUpIsNot(redeemed: String) {
    let when = "sentCode in store.codes && !store.codes[sentCode].used && store.codes[sentCode].name != ''"
    #expect(told(redeemed: redeemed, when: when) == [])
  }

  @Test func whatIsNoCodeIsNot() { #expect(told(sent: "request.form.?ticket.orValue('')") == []) }
}
