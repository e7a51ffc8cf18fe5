import Foundation
import Testing

/// Runs a flow with a file of config values, for its owner alone unless `mode` says otherwise; gives what it told.
private func run(
  _ flow: String = "sign-in", in folder: String = "Tests/SignIn", with text: String, mode: Int = 0o600,
  _ options: String = "--config-file c.json"
) throws -> Flowrun.Result {
  let workshop = try Workshop(of: folder)
  try workshop.write(text, to: "c.json")
  try FileManager.default.setAttributes(
    [.posixPermissions: mode], ofItemAtPath: workshop.folder.appendingPathComponent("c.json").path)
  let result = try workshop.flowrun.shell("\"$FLOWRUN\" \(flow).json \(options) --json")
  #expect(!(result.output + result.errors).contains("canary"), "\(result)")
  return result
}

private func checkRefused(
  _ text: String, code: Int32 = 65, mode: Int = 0o600, _ words: String, never: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let result = try run("oidc-native", in: "flows", with: text, mode: mode)
  #expect(result.code == code && result.output.isEmpty, "\(result)", sourceLocation: sourceLocation)
  #expect(result.errors.contains(words), "\(result.errors)", sourceLocation: sourceLocation)
  if let never { #expect(!result.errors.contains(never), "\(result.errors)", sourceLocation: sourceLocation) }
}

@Suite(.timeLimit(.minutes(20))) struct ConfigFileTests {
  @Test func configIsGivenInAFile() throws {
    #expect(try run(with: #"{"language": "de"}"#).output.contains("lang=de"))
    #expect(
      try run(with: #"{"language": "de"}"#, "--config-file c.json --answer user.signsIn").output.contains("lang=de"))
    #expect(try run(with: #"{"language": "de"}"#, mode: 0o644).output.contains("lang=de"), "nothing in it is secret")
  }

  /// A run would wait for a browser that nobody can come back with.
  @Test func whatMakesNoRedirectURIIsRefused() throws {
    let words = "for \"redirectUri\" makes no redirect URI of the app"
    try checkRefused(#"{"redirectUri": "nonsense"}"#, "the value of c.json \(words)", never: "nonsense")
    let simulated = try run(with: "{}", "--config redirectUri=nonsense")
    #expect(simulated.code == 64 && simulated.errors.contains("the value of --config \(words)"), "\(simulated)")
    let overruled = try run(
      with: #"{"redirectUri": "nonsense"}"#, "--config-file c.json --config redirectUri=http://127.0.0.1/there")
    #expect(overruled.output.contains("redirect_uri=http%3A%2F%2F127.0.0.1%2Fthere"), "\(overruled)")
  }

  /// Shows `c`, made of a config `c`, and finds it however the config is given; gives the place where that was.
  @discardableResult
  private func checkShown(
    _ shown: String, of expression: String, type: String, config: String, file: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Workshop {
    let workshop = try Workshop()
    try workshop.replace(
      #""start":"#, with: #""config": {"c": {"type": "\#(type)", "value": 1}}, "start":"#, in: "hello.json")
    try workshop.replace(#""text": "${"#, with: #""c": "${\#(expression)}", "text": "${"#, in: "hello.json")
    try workshop.write(#"{"c": \#(file)}"#, to: "c.json")
    for given in [["--config", "c=\(config)"], ["--config-file", "c.json"]] {
      let result = try workshop.flowrun.run(["hello.json"] + given)
      #expect(
        result.code == 0 && result.output.contains("c: \(shown)"), "\(result)", sourceLocation: sourceLocation)
    }
    return workshop
  }

  @Test func whatTakesAnyJSONTakesNull() throws {
    try checkShown("true", of: "config.c == null", type: "json", config: "null", file: "null")
  }

  /// As in a document.
  @Test func aWholeNumberMayBeWrittenWithAPoint() throws {
    let workshop = try checkShown("42", of: "config.c + 1", type: "int", config: "4.1e1", file: "41.0")
    #expect(try workshop.flowrun.run(["hello.json", "--config", "c=41.5"]).code == 64)
  }

  @Test func theCommandLineOverrulesTheFile() throws {
    let both = #"{"language": "de", "redirectUri": "http://127.0.0.1/here"}"#
    let result = try run(with: both, "--config language=en --config-file c.json")
    #expect(result.output.contains("lang=en") && result.output.contains("here"), "\(result)")
  }

  @Test func aSecretOfTheFileIsTakenAndNeverTold() throws {
    let secret = #"{"clientSecret": "canary"}"#
    let result = try run("oidc-native", in: "flows", with: secret)
    #expect(result.code == 0, "\(result)")
    #expect(result.output.contains("<authorization#1>"), "\(result)")
    let piped = try run(
      "oidc-native", in: "flows", with: secret, mode: 0o644, "--config-file /dev/fd/3 3<<.\n\(secret)\n.\n:")
    #expect(piped.code == 0, "\(piped)")
  }

  @Test func aSecretThatOthersCanReadIsRefused() throws {
    for mode in [0o640, 0o604, 0o644] {
      try checkRefused(#"{"clientSecret": "canary"}"#, code: 66, mode: mode, "chmod 600 c.json")
    }
  }

  /// Meant for `--config`.
  @Test func aValueInPlaceOfAFileIsNotTold() throws {
    let result = try run("oidc-native", in: "flows", with: "{}", "--config-file clientSecret=canary")
    #expect(result.code == 66 && result.errors.contains("there is no file clientSecret=…\n"), "\(result)")
  }

  @Test func whatIsWrongInTheFileIsSaidWithoutItsWords() throws {
    try checkRefused("clientSecret: canary", "c.json is no JSON in line 1: a word without quotes stands where a value")
    try checkRefused("{\n  \"clientSecret\": \"canary\",\n}", "in line 2: \",\" stands before \"}\", where JSON")
    try checkRefused("\u{FEFF}{\"clientSecret\": \"canary\"}", "in line 1: the text starts with a byte order mark")
    try checkRefused(#"{"clientSecret" "canary"}"#, #"in line 1: a string stands where ":" was expected"#)
    try checkRefused(#"{"clientSecret": "canary"canary"}"#, #"in line 1: a word without quotes stands where ",""#)
    for sign in "@‘" {
      for text in [#"{"clientSecret": \#(sign)canary"}"#, #"{"clientSecret": ""\#(sign)canary"}"#] {
        try checkRefused(text, "c.json is no JSON in line 1:", never: "\(sign)")
      }
    }
    try checkRefused(#"["canary"]"#, "c.json is no JSON object")
    try checkRefused(#"{"clientSecret": ["canary"]}"#, "the value of c.json for \"clientSecret\" does not fit")
    try checkRefused(#"{"clientSecret": 5}"#, "a string in quotes, as JSON has it")
    try checkRefused(#"{"clientSecret": null}"#, "the value of c.json for \"clientSecret\" does not fit")
    try checkRefused(#"{"clientSecret": "canary", "clientSecret": "x"}"#, "c.json gives \"clientSecret\" twice")
    let twice = #"{"clientSecret": {"canary": 1, "canary": 2}}"#
    try checkRefused(twice, "c.json gives the same name twice, in line 1")
    try checkRefused(#"{"1canary": 1, "1canary": 2}"#, "c.json gives the same name twice, in line 1")
    try checkRefused(#"{"clientSecre": "canary"}"#, "no config \"clientSecre\", which c.json gives")
    #expect(try run(with: "{}", "--config-file none.json").code == 66)
  }

  @Test func whatASecretCanBeIsNotSaidEither() throws {
    let workshop = try Workshop(of: "Tests/SignIn")
    let secret = #""market": {"secret": true, "one of": ["en", "de"], "value": "en"}, "language": {"#
    try workshop.replace("\"language\": {", with: secret, in: "sign-in.json")
    let result = try workshop.flowrun.shell("\"$FLOWRUN\" sign-in.json --config market=fr")
    #expect(result.code == 64 && result.errors.contains("for \"market\" does not fit"), "\(result)")
    #expect(!result.errors.contains("en, de"), "\(result)")
  }
}
