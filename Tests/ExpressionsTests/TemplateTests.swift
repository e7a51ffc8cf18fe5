import Testing

@testable import Expressions

@Suite struct TemplateTests {
  static let templates: [(String, String)] = [
    ("plain", #""plain""#), ("", #""""#), ("${store.count}", "3"), ("a${store.count}b", #""a3b""#),
    ("$${x}", #""${x}""#),
    ("$", #""$""#), ("$$", #""$$""#), ("${'}'}", #""}""#), ("${{'a': 1}.a}-", #""1-""#), ("${store.unset}", "null"),
    ("x${store.unset}", "run: null-in-text"), ("${store.?unset}", "absent"), ("${response.json.?none}", "absent"),
    ("${response.json.data.?none}", "absent"), ("${response.json.?error}", #""gone""#),
    ("x${response.json.?error}", #""xgone""#),
    ("x${response.json.?none}", "run: null-in-text"), ("${now}", #""2026-01-01T09:00:00Z""#),
    ("at ${now}", #""at 2026-01-01T09:00:00Z""#),
    ("${1}${2.5}${true}", #""12.5true""#), ("x${store.codes}", "check: type-mismatch"),
    ("x${response.json}", "run: no-such-overload"),
    ("${", "check: expression-syntax"), ("${1", "check: expression-syntax"), ("${}", "check: expression-syntax"),
    ("é${store.nope}${x}", "check: unknown-field unknown-name"),
    ("${store.nope} ${x", "check: unknown-field expression-syntax"),
  ]

  @Test(arguments: templates) func templatesGive(source: String, result: String) { checkTemplate(source, result) }

  @Test func pointsIntoTheWholeString() {
    do throws(ExpressionProblems) {
      _ = try Template.compile("é ${store.id + 1}", in: World.scope)
      Issue.record("compiles")
    } catch { #expect(error.all.map(\.range) == [5..<17]) }
  }

  @Test func knowsItsParts() throws {
    let template = try Template.compile("/users/${store.id}/$${x}", in: World.scope)
    #expect(template.parts.count == 3)
    #expect(template.literalText == nil)
    #expect(try Template.compile("/a/$${x}", in: World.scope).literalText == "/a/${x}")
    #expect(!template.isLiteral && !template.isAlone && template.type == .string)
    var frame = World.frame
    #expect(try template.evaluate(&frame) == .string(Text("/users/u-1/${x}")))
    #expect(try Template.compile("${store.count}", in: World.scope).type == .int)
  }

  private func checkTemplate(_ source: String, _ expected: String) {
    var result: String
    do {
      var frame = World.frame
      result = try Template.compile(source, in: World.scope).evaluate(&frame).map(World.shown) ?? "absent"
    } catch let problems as ExpressionProblems {
      result = "check: " + problems.all.map(\.code).joined(separator: " ")
    } catch let error as EvaluationError {
      result = "run: " + error.code
    } catch { result = "?" }
    #expect(result == expected, "\(source)")
  }

  @Test func longTextIsTextAndLongExpressionsAreRefused() {
    let long = String(repeating: "x", count: 300_000)
    #expect((try? Template.compile(long, in: World.scope))?.literalText == long)
    for source in [long + "${1}", "${[" + String(repeating: "1,", count: 20_000) + "]}"] {
      checkTemplate(source, "check: too-long")
    }
  }

  static let plain: [(source: String, places: [String])] = [
    ("{store.id}", ["{store.id}"]), ("a {{ store.id }} b", ["{{ store.id }}"]), ("$store.id", ["$store.id"]),
    ("$s256(store.id)}", ["$s256(store.id)"]), ("{event.code}", ["{event.code}"]), ("{canRefresh}", ["{canRefresh}"]),
    ("${store.id}", []), ("$${store.id}", []), ("{id}", []), ("{\"store\": 1}", []), ("$5.00", []), ("{", []),
    ("$", []),
    ("${{'a': store.id}.a} {store.id}", ["{store.id}"]), ("é {store.id}", ["{store.id}"]),
    ("store.id", ["store.id"]), ("response.json.error", ["response.json.error"]), ("the store.id", []),
    ("store.nothing", []), ("store.id.", []), ("store.", []), ("store.id, now", []), ("now.year", []),
    ("{store.id", []), ("{}", []),
    ("{a {store.id} {{{ store.id }}}", ["{store.id}", "{{ store.id }}"]),
    ("$${", []), ("$store", []), ("fresh('state')", ["fresh('state')"]),
    ("{fresh('state')}", ["{fresh('state')}"]), ("a {newId('id')} b", ["{newId('id')}"]),
    ("$fresh('state')", ["$fresh('state')"]), ("'store.id'", ["'store.id'"]), ("\"store.id\"", ["\"store.id\""]),
    ("{store.?id}", ["{store.?id}"]), ("s256(store.token)", ["s256(store.token)"]),
    ("now.getHours()", ["now.getHours()"]),
    ("response.json.?error", ["response.json.?error"]),
    ("store.users[store.id].email", ["store.users[store.id].email"]),
    ("'Bearer ' + store.token", ["'Bearer ' + store.token"]), ("jwt({'sub': store.id})", ["jwt({'sub': store.id})"]),
    ("store.id-x.example", []), ("canRefresh", []), ("now", []), ("'now'", []), ("size", []), ("size(a)", []),
    ("x.size()", []), ("store.id is wrong", []), ("call(store.id)", []), ("'", []), ("''", []), ("(store.id", []),
  ]

  @Test(arguments: plain) func noticesNamesInPlainText(source: String, places: [String]) throws {
    let bytes = Array(source.utf8)
    let found = try Template.compile(source, in: World.scope).plainNames
    #expect(found.map { String(decoding: bytes[$0.range], as: UTF8.self) } == places)
  }
}
