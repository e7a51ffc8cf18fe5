import Foundation
import Testing

/// Section 4: no command shows what is secret, in any format, whatever goes wrong.
///
/// `Tests/Vault` has a mark in every place that can hold a secret; each becomes a canary of its own.
@Suite struct LeakTests {
  @Test func nothingThatIsSecretIsInWhatRunsTell() throws {
    let vault = try Vault()
    for scenario in ["in", "refused", "broken"] {
      let run = "vault.json --scenario \(scenario)"
      let told = try vault.checkSilent(
        run, "\(run) --json", "\(run) --trace t.jsonl", "draw vault.json --as sequence --scenario \(scenario)",
        "draw t.jsonl")
      // It has gone all the way, and shown that there are secrets.
      #expect(told.contains("<password#1>") && told.contains("<pin#1>") && told.contains("Stopped at"), "\(told)")
    }
    #expect(try vault.checkSilent("vault.json --json").contains("<ticket#1>"))
    #expect(try vault.checkSilent("draw vault.json", "bench vault.json", "bench vault.json --json").contains("-->"))
  }

  @Test func nothingThatIsSecretIsInGoldensAndTheirDifferences() throws {
    let vault = try Vault()
    try vault.checkSilent("test . --accept", "test .", "test . --json", "test . --junit results.xml")
    try vault.workshop.replace("\"x-next\": \"a\"", with: "\"x-next\": \"z\"", in: "vault.json")
    try vault.workshop.replace("\"status\": 400", with: "\"status\": 401", in: "vault/refused.json")
    let told = try vault.checkSilent("test .", "test . --json", "test . --junit results.xml")
    #expect(told.contains("changed") && told.contains("<x-key#"), "\(told)")
    try vault.workshop.replace("\"ends\": \"in\"", with: "\"ends\": \"out\"", in: "vault/in.json")
    #expect(try vault.checkSilent("test .", "test . --json", "vault.json --scenario in").contains("another-end"))
  }

  @Test func nothingThatIsSecretIsInWhatExploringFinds() throws {
    let vault = try Vault()
    let behind = "explore vault.json --scenario in --most 200"
    #expect(try vault.checkSilent(behind, behind + " --json").contains("\"after\": \"in\""))
    try vault.workshop.replace("\"goto\": \"waiting\"", with: "\"goto\": \"stuck\"", in: "vault.json")
    try vault.workshop.replace(
      "\"waiting\": {", with: "\"stuck\": {\"on\": {\"user.signsIn\": {\"goto\": \"stuck\"}}}, \"waiting\": {",
      in: "vault.json")
    try vault.workshop.replace(
      "\"despite\": {", with: "\"despite\": {\"no-way-to-goal\": \"so\", \"unreachable-state\": \"so\", ",
      in: "vault.json")
    let told = try vault.checkSilent(
      "explore vault.json --most 400", "explore vault.json --most 400 --json",
      "explore vault.json --unexpected --most 900")
    #expect(told.contains("no-way-to-goal") || told.contains("stopped-elsewhere"), "\(told)")
  }

  /// A value of the wrong type is told by its kind and its place.
  @Test(arguments: [
    ("\"kept\": {\"type\": \"json\"}", "\"kept\": {\"type\": \"int\"}", "vault.json"),
    ("\"kept\": \"${response.json}\"", "\"kept\": \"${int(response.json.pin)}\"", "vault.json"),
    ("\"kept\": \"${response.json}\"", "\"kept\": \"${response.json.number[response.json.pin]}\"", "vault.json"),
    ("\"${urlEncode(store.ticket)}", "\"${urlEncode(store.ticket)}${timestamp(store.ticket)}", "services/safe.json"),
    ("for ${store.token}", "for ${duration(store.token)}", "vault.json"),
    ("\"https://vault.example/w/${urlEncode(store.ticket)}", "\"${store.ticket}", "services/safe.json"),
    ("\"post\": \"/keys/${config.apiKey}\"", "\"post\": \"${config.apiKey}\"", "vault.json"),
    ("\"uri\": \"com.vault:/in\"", "\"uri\": \"${request.form.password}\"", "services/safe.json"),
  ])
  func nothingThatIsSecretIsInErrorsOfARun(words: String, others: String, document: String) throws {
    let vault = try Vault()
    let known = try vault.workshop.read(document).contains(words) ? words : String(words.dropFirst())
    try vault.workshop.replace(known, with: known == words ? others : String(others.dropFirst()), in: document)
    let told = try vault.checkSilent(
      "vault.json --scenario in", "vault.json --scenario in --json", "test .", "test . --json",
      "explore vault.json --most 100", "explore vault.json --most 100 --json",
      "explore vault.json --most 400 --unexpected",
      "explore vault.json --scenario in --most 100")
    #expect(told.contains("error["), "\(told)")
  }

  /// Whatever is wrong in a line, the line is shown without its secrets.
  @Test(arguments: ["vault.json", "services/safe.json", "vault/in.json", "vault/refused.json"])
  func nothingThatIsSecretIsShownOfAWrongDocument(document: String) throws {
    let marked = try Repository.text("Tests/Vault/\(document)")
    let marks = marked.matches(of: /@[a-zA-Z]+@/).map { String($0.output) }
    #expect(marks.count > 1)
    for mark in Set(marks).sorted() {
      let line = try #require(marked.split(separator: "\n").first { $0.contains(mark) })
      let more = line.firstRange(of: "{").map { line.replacingCharacters(in: $0, with: "{\"misspelt\": 1, ") }
      let broken = [
        marked.replacingOccurrences(of: "\(mark)\"", with: "\(mark)\" ?"),
        String(marked[..<(try #require(marked.range(of: mark))).upperBound]),
        marked.replacingOccurrences(of: line, with: more ?? String(line)),
      ]
      for (index, text) in broken.enumerated() where text != marked {
        let vault = try Vault()
        try vault.write(text, to: document)
        let told = try vault.checkSilent("check .", index == 0 ? "test . --json" : "check . --json")
        // In data one more member is no mistake.
        #expect(told.contains("error[") || index == 2, "\(told)")
      }
    }
  }

  /// Two letters of a name are swapped, of each on the way to the secret that stands in its line.
  @Test(arguments: ["vault.json", "services/safe.json", "vault/in.json", "vault/refused.json"])
  func aSecretIsHiddenBehindANameThatIsMisspelt(document: String) throws {
    let marked = try Repository.text("Tests/Vault/\(document)")
    var count = 0
    for line in marked.split(separator: "\n") {
      guard let mark = line.firstRange(of: /@[a-zA-Z]+@/) else { continue }
      for name in line[..<mark.lowerBound].matches(of: /"([a-z])([a-z])([A-Za-z ]+)":/) {
        let (first, second, rest) = (name.output.1, name.output.2, name.output.3)
        let misspelt = line.replacingCharacters(in: name.range, with: "\"\(second)\(first)\(rest)\":")
        guard misspelt != line else { continue }
        let vault = try Vault()
        // One more error in the line, where the misspelt name alone is none.
        let broken = "\(misspelt) ?"
        for text in [misspelt, broken] {
          try vault.write(marked.replacingOccurrences(of: line, with: text), to: document)
          try vault.checkSilent("check .", "check . --json")
        }
        count += 1
      }
    }
    #expect(count > 2)
  }

  @Test func aMistakeBesideASecretDoesNotTellIt() throws {
    for (words, others) in [
      ("\"kind\": \"${config.kind}\"", "\"kind\": \"${config.kind == 'zzzz'}\""),
      ("\"kind\": {\"secret\": true,", "\"kind\": {\"secrt\": true,"),
    ] {
      let vault = try Vault()
      try vault.workshop.replace(words, with: others, in: "vault.json")
      #expect(try vault.checkSilent("check .", "check . --json", "vault.json").contains("error["))
    }
  }

  @Test func theStoreFileAloneHoldsWhatIsSecret() throws {
    let vault = try Vault()
    try vault.workshop.replace(
      "\"out\": {", with: "\"out\": {\"do\": [{\"show\": {\"home\": {\"kept\": \"${store.kept}\"}}}],", in: "vault.json"
    )
    try vault.checkSilent("vault.json --scenario in --store s.json")
    let stored = try vault.workshop.read("s.json")
    #expect(!vault.isSilent(stored) && stored.contains("\"secret\":{\"kept"))
    // What was secret in a key that is not declared so is secret in the next run too.
    let told = try vault.checkSilent("vault.json --store s.json", "vault.json --store s.json --json")
    #expect(told.contains(/shows "home" \(kept:\s+\{[^)]*<pin#1>/), "\(told)")
    try vault.checkSilent(
      "check .", "check . --json", "check s.json", "s.json", "vault.json --scenario s.json", "test .")
    for broken in [
      String(stored.dropLast(9)), stored.replacing("\"format\":1", with: "\"format\":2"), String(stored.dropFirst()),
      String(stored.dropFirst(5)), "{" + stored,
    ] {
      try vault.workshop.write(broken, to: "s.json")
      try vault.checkSilent("vault.json --store s.json", "check .", "s.json", "vault.json --scenario s.json")
    }
  }

  @Test func nothingThatIsSecretAppearsAtATerminal() throws {
    let vault = try Vault()
    try vault.workshop.replace("\"title\": \"In\"", with: "\"title\": \"In ${store.ticket}\"", in: "services/safe.json")
    let sitting = try Sitting(
      ["vault.json", "--interactive", "--store", "s", "--trace", "t.jsonl"], in: vault.workshop)
    try sitting.answer("\n> ", "user.signsIn\n")
    try sitting.answer("password (does not appear) [the example]: ", "\(canary("typed"))\n")
    try sitting.answer("\n> ", "login\n")
    try sitting.answer("password (does not appear) [the example]: ", "\n")
    try sitting.answer("the device is asked to: ", "")
    try sitting.answer("\n> ", "1\n")
    try sitting.answer("signature (does not appear) [the example]: ", "\n")
    try sitting.wait(for: "opens the mail \"hello\", and its link \"go\"")
    try sitting.answer("\n> ", "hello\n")
    try sitting.wait(for: "(the goal)")
    try sitting.answer("\n> ", "?\n")
    try sitting.answer("\n> ", "q\n")
    #expect(try sitting.end() == 0)
    vault.expectSilent(sitting.seen, "a run by hand")
    vault.expectSilent(try vault.workshop.read("t.jsonl"), "the trace of a run by hand")
    #expect(!vault.isSilent(try vault.workshop.read("s")))
  }

  @Test func nothingThatIsSecretIsInHelpAndInWhatCannotBeRead() throws {
    let vault = try Vault()
    try vault.checkSilent("help", "help run", "check .", "check . --json", "vault.json --scenario inn", "vaul.json")
    let told = try vault.workshop.flowrun.shell(
      "chmod 000 vault/in.json; \(asAnybody)\"$FLOWRUN\" check . 2>&1; chmod 600 vault/in.json")
    #expect(told.output.contains("vault/in.json cannot be read: "), "\(told)")
    vault.expectSilent(told.output, "check of what cannot be read")
  }
}

/// A workshop with the documents of `Tests/Vault`, each `@mark@` a canary.
private struct Vault {
  let workshop: Workshop
  private let canaries: [String]

  init() throws {
    workshop = try Workshop(of: "Tests/Vault")
    var marks: Set<String> = []
    for document in ["vault.json", "services/safe.json", "vault/in.json", "vault/refused.json", "vault/broken.json"] {
      let text = try workshop.read(document)
      marks.formUnion(text.matches(of: /@([a-zA-Z]+)@/).map { String($0.output.1) })
      try Self.write(text, to: document, of: workshop)
    }
    canaries = marks.sorted().map(canary)
    #expect(canaries.count > 15)
  }

  func write(_ text: String, to document: String) throws { try Self.write(text, to: document, of: workshop) }

  private static func write(_ text: String, to document: String, of workshop: Workshop) throws {
    let plain = text.replacing(/@([a-zA-Z]+)@/) { match in
      let isInText = text[..<match.range.lowerBound].hasSuffix("\\\"")
      let escaped = canary(String(match.output.1)).replacingOccurrences(of: "\"", with: "\\\"")
      return isInText ? escaped.replacingOccurrences(of: "\\\"", with: "\\\\\\\"") : escaped
    }
    try workshop.write(plain, to: document)
  }

  /// Runs commands, one after the other, and looks for the canaries in all that they print and write; gives what is
  /// printed.
  @discardableResult
  func checkSilent(_ commands: String..., sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
    var told = ""
    for command in commands {
      let result = try workshop.flowrun.shell("\"$FLOWRUN\" \(command)")
      expectSilent(result.output + result.errors, command, sourceLocation: sourceLocation)
      told += result.output + result.errors
    }
    for file in [
      "t.jsonl", "results.xml", "vault/in.trace.jsonl", "vault/refused.trace.jsonl", "vault/broken.trace.jsonl",
    ]
    where workshop.exists(file) {
      expectSilent(try workshop.read(file), file, sourceLocation: sourceLocation)
    }
    return told
  }

  func isSilent(_ text: String) -> Bool { !canaries.flatMap(forms).contains(where: text.contains) }

  func expectSilent(_ text: String, _ what: String, sourceLocation: SourceLocation = #_sourceLocation) {
    for form in canaries.flatMap(forms) + ["7316540988", "73165", "40988", encoded("7316540988")] {
      guard let place = text.range(of: form) else { continue }
      let line = text[text.lineRange(for: place)]
      Issue.record("\"\(form)\" stands in what \(what) tells: \(line)", sourceLocation: sourceLocation)
    }
  }
}

/// What JSON, URLs, forms and base64 write in another way is in it.
private func canary(_ place: String) -> String { "Zq\(place)9/+ \"ä=\(place)7Yw" }

/// The canary and its halves, as they are and as URLs, base64, hexadecimal digits and JSON write them.
private func forms(_ canary: String) -> [String] {
  let half = canary.index(canary.startIndex, offsetBy: canary.count / 2)
  return [canary, String(canary[..<half]), String(canary[half...])].flatMap { text -> [String] in
    let hexadecimal = text.utf8.map { (($0 < 16) ? "0" : "") + String($0, radix: 16) }.joined()
    let unreserved = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
    let percent = text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? text
    let json = text.replacingOccurrences(of: "\"", with: "\\\"")
    let escaped = json.replacingOccurrences(of: "/", with: "\\/").replacingOccurrences(of: "ä", with: "\\u00e4")
    let middles = (0...2).map { middle(text, behind: $0) }
    let url = middles.map { $0.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_") }
    return [
      text, json, escaped, percent, percent.lowercased(), percent.replacingOccurrences(of: "%20", with: "+"),
      text.lowercased(), text.uppercased(), hexadecimal, hexadecimal.uppercased(),
    ] + middles + url
  }
}

private func encoded(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

/// The base64 of a text as it stands behind so many other bytes, without what its neighbours have a part in.
private func middle(_ text: String, behind count: Int) -> String {
  let whole = encoded(String(repeating: "x", count: count) + text)
  return String(whole.dropFirst(count == 0 ? 0 : 4).dropLast(4))
}
