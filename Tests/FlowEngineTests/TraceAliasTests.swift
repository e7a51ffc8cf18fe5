import Expressions
import Testing

@testable import FlowEngine

/// What texts look like, one after the other in one trace.
private func checkAliases(_ texts: [Text], _ expected: [String], sourceLocation: SourceLocation = #_sourceLocation) {
  var table = AliasTable()
  #expect(texts.map { table.shown($0) } == expected, sourceLocation: sourceLocation)
}

private func fresh(_ name: String, _ number: Int) -> Text {
  Text(origin: .fresh(name: name, number: number, seed: .simulated))
}

@Test func numbersCountDistinctContentsOfAName() {
  checkAliases(
    [Sample.secret("a"), Sample.secret("b"), Sample.secret("a"), Sample.secret("c", "code")],
    ["<token#1>", "<token#2>", "<token#1>", "<code#1>"])
}

@Test func contentsThatLookAlikeHaveAliasesOfTheirOwn() {
  checkAliases([Sample.secret("\u{e9}"), Sample.secret("e\u{301}")], ["<token#1>", "<token#2>"])
}

@Test func aContentKeepsItsAliasWhateverMarksIt() {
  checkAliases(
    [Sample.secret("a", "access_token"), Sample.secret("a", "bearer")], ["<access_token#1>", "<access_token#1>"])
}

@Test func onlyTheHiddenPartOfATextIsAnAlias() {
  checkAliases([Text("Bearer ") + Sample.secret("a") + Text("!")], ["Bearer <token#1>!"])
}

@Test func freshValuesAreAliasesAndIdentifiersAreNot() {
  checkAliases(
    [fresh("state", 7), Text(origin: .identifier(name: "user", number: 1, seed: .simulated))], ["<state#1>", "user-1"])
}

@Test func aFreshValueThatIsSecretTakesTheSecretsName() {
  checkAliases([fresh("random", 1).marked(secret: "code"), fresh("random", 1)], ["<code#1>", "<code#1>"])
}

@Test func aSecretOverAPartOfAFreshValueHidesAllOfIt() {
  let whole = fresh("state", 1)
  for range in [0..<3, 2..<5] {
    let spans = whole.spans + [Text.Span(range: range, kind: .secret(name: "code"))]
    var table = AliasTable()
    let shown = table.shown(Text(string: whole.string, spans: spans))
    #expect(shown.hasPrefix("<") && shown.hasSuffix("#1>"))
  }
}

@Test func aDerivedValueSaysWhatItWasMadeOf() {
  let verifier = fresh("verifier", 3)
  checkAliases(
    [Text(origin: .derived(.s256, .string(verifier))), verifier],
    ["<s256(verifier#1)>", "<verifier#1>"])
}

@Test func plainTextThatReadsAsAFreshValueHasItsAlias() {
  let payload = ValueMap([.init(key: .string("id"), value: .string(fresh("id", 1)))])
  let token = Text(origin: .derived(.jwt, .map(payload)))
  let digest = Text(origin: .derived(.s256, .string(fresh("verifier", 1))))
  for text in [fresh("state", 7), token, digest] {
    var table = AliasTable()
    let alias = table.shown(text)
    #expect(table.shown(fresh("other", 1)) == "<other#1>")
    #expect(table.shown(Text(text.string)) == alias && alias.hasPrefix("<"))
    #expect(table.shown(Text("Bearer ") + Text(text.string).marked(secret: "x")) == "Bearer " + alias)
  }
}

/// The secret is as long as a digest, so that all digests are made to be compared while this one has no alias yet.
@Test func plainTextThatReadsAsTheDigestOfALongSecretHasItsAlias() {
  let secret = Sample.secret(String(repeating: "k", count: 43), "key")
  let digest = Text(origin: .derived(.s256, .string(secret)))
  checkAliases([digest, Text(digest.string)], ["<s256(key#1)>", "<s256(key#1)>"])
}

@Test func whatIsMadeOfTheSameHasOneAliasWhateverMarksThat() throws {
  let verifier = fresh("verifier", 3)
  checkAliases(
    [verifier.marked(secret: "key"), verifier].map { Text(origin: .derived(.s256, .string($0))) },
    ["<s256(key#1)>", "<s256(key#1)>"])
  let instant = try #require(Timestamp(seconds: 1_767_258_000))
  let payloads: [Value] = [.timestamp(instant), .int(1_767_258_000), .int(1_767_258_001)]
  checkAliases(
    payloads.map { Text(origin: .derived(.jwt, .map(ValueMap([.init(key: .string("exp"), value: $0)])))) },
    ["<jwt#1>", "<jwt#1>", "<jwt#2>"])
}

@Test func aTokenIsNumbered() {
  let token = Text(origin: .derived(.jwt, .map(ValueMap([.init(key: .string("jti"), value: .string(fresh("id", 1)))]))))
  checkAliases([token], ["<jwt#1>"])
}

@Test func plainTextThatLooksLikeAnAliasIsToldApart() {
  checkAliases(
    [Text("<token#1>"), Text("<#token#1>"), Text("<s256(verifier#1)>"), Text("<p>#1</p>"), Text("a < b")],
    ["<#token#1>", "<##token#1>", "<#s256(verifier#1)>", "<p>#1</p>", "a < b"])
}

@Test func namesAreReducedToWhatAnAliasIsMadeOf() {
  checkAliases([Sample.secret("a", "x<y>#1")], ["<x_y__1#1>"])
}

@Test func inAURLOnlyThePlainPartsAreEncoded() {
  var table = AliasTable()
  let text = Text("a b/<c#1>") + Sample.secret("é")
  #expect(table.shownInURL(text) == "a%20b%2F%3Cc%231%3E<token#1>")
}

@Test func theTerminalMayShowTheRealText() {
  var table = AliasTable(.realText)
  #expect(table.shown(Sample.secret("hunter2")) == "hunter2")
}

@Test func whatAPeerSaysBackEncodedHasItsAlias() {
  var table = AliasTable(isFromOutside: true)
  #expect(table.shown(Sample.secret("a b/c?dä~~")) == "<token#1>")
  #expect(table.shown(Text("?s=a%20b%2Fc%3Fd%C3%A4~~&t=1")) == "?s=<token#1>&t=1")
  #expect(table.shown(Text("/a%20b%2Fc%3Fd%C3%A4~~/")) == "/<token#1>/")
  #expect(table.shown(Text("Basic YSBiL2M/ZMOkfn4=")) == "Basic <token#1>=")
  #expect(table.shown(Text("YSBiL2M_ZMOkfn4")) == "<token#1>")
}

@Test func whatAPeerSaysBackInAnyNotationHasItsAlias() {
  var table = AliasTable(isFromOutside: true)
  let secret = #"a/1+ "b'z&_"#
  #expect(table.shown(Sample.secret(secret)) == "<token#1>")
  for echo in [
    "a%2F1%2B+%22b%27z%26_", "a%2f1%2b%20%22b%27z%26_", #"a/1+ \"b'z&_"#, "a/1+ &quot;b&#39;z&amp;_",
    "612f312b202262277a265f", "612F312B202262277A265F",
  ] { #expect(table.shown(Text("no \(echo)!")) == "no <token#1>!") }
  for around in ["", "a", "ab", "abc"] {
    let shown = table.shown(Text(base64URL(Array((around + secret + around).utf8))))
    #expect(shown.contains("<token#1>") && shown.utf8.count <= 9 + 2 * 6, "\(shown)")
  }
}

@Test func whatAPeerSaysBackInMixedEscapesHasItsAlias() {
  var table = AliasTable(isFromOutside: true)
  #expect(table.shown(Sample.secret("zonk ter22ä")) == "<token#1>")
  for echo in [
    "&#122;onk+ter22%C3%A4", "&#x7A;&#X6f;nk ter22&#228;", #"%7ao\nk te\r22\u00e4"#, #"\u007aonk\u0020ter22ä"#,
    #"z&#111;nk\ ter\22%c3%a4"#,
  ] { #expect(table.shown(Text("no \(echo)!")) == "no <token#1>!", "\(echo)") }
  for other in ["&#12g;onk ter22ä", "&#;zonk", "&#x110000;onk ter22ä", "&#99999999999;onk ter22ä", "%7gonk ter22ä"] {
    #expect(table.shown(Text(other)) == other)
  }
}

@Test func whatAPeerSaysBackEncodedTwiceHasItsAlias() {
  var table = AliasTable(isFromOutside: true)
  #expect(table.shown(Sample.secret("a/1+ \"b'z&_")) == "<token#1>")
  for echo in ["a%252F1%252B%2520%2522b'z%2526_", "a%25252F1%25252B%252520%252522b'z%252526_"] {
    #expect(table.shown(Text("50%25 \(echo)%25!")) == "50%25 <token#1>%25!")
  }
}

@Test func aSecretWithEscapesOfItsOwnIsKnownWithoutThemToo() {
  var table = AliasTable(isFromOutside: true)
  #expect(table.shown(Sample.secret(#"c:\newer%2Fpin"#)) == "<token#1>")
  for echo in [#"c:\newer%2Fpin"#, #"c:\\newer%2Fpin"#, #"c:\newer/pin"#, #"c:\\newer%252Fpin"#] {
    #expect(table.shown(Text("no \(echo)!")) == "no <token#1>!")
  }
}

/// Hosts are written in small letters.
@Test func whatAPeerSaysBackInSmallLettersHasItsAlias() {
  var table = AliasTable(isFromOutside: true)
  #expect(table.shown(Sample.secret("Hunter22")) == "<token#1>")
  #expect(table.shown(Text("https://hunter22.example")) == "https://<token#1>.example")
}

/// Each backslash was looked at from all before it.
@Test func manyBackslashesTakeNoLongerThanOtherText() {
  var table = AliasTable(isFromOutside: true)
  #expect(table.shown(Sample.secret("hunter22")) == "<token#1>")
  let backslashes = String(repeating: "\\", count: 30_000)
  #expect(table.shown(Text(backslashes + "hunter22")) == backslashes + "<token#1>")
}

@Test func whatWouldTakeTooLongToSearchIsHidden() {
  var table = AliasTable(isFromOutside: true)
  let long = String(repeating: "a", count: 20_000)
  #expect(table.shown(Sample.secret(long + "b")) == "<token#1>")
  let shown = table.shown(Text(long + long + " " + long + "b"))
  #expect(shown.hasSuffix("a<text#1>") && shown.utf8.count < 1000)
  #expect(table.shown(Text(long + "b aaaaaa")) == "<token#1> aaaaaa")
}

@Test func whereTooMuchIsSecretNothingElseIsShown() {
  var table = AliasTable(isFromOutside: true)
  for number in 1...4096 { #expect(table.shown(Sample.secret("\(1000 + number)-pin")) == "<token#\(number)>") }
  #expect(table.shown(Text("no 1007-pin!")) == "no <token#7>!")
  #expect(table.shown(Sample.secret("one-more")) == "<token#4097>")
  #expect(table.shown(Text("no 1007-pin!")) == "<text#1>")
  #expect(table.shown(Text("of ") + Sample.secret("1008-pin") + Text(" 1007-pin")) == "of <token#8><text#2>")
  #expect(table.shownInURL(Text("no one-more")) == "<text#3>")
  #expect(table.shown(Sample.secret("one-more")) == "<token#4097>" && table.shown(Text("a few")) == "a few")
}

@Test func whereASecretIsTooLongNothingElseIsShown() {
  var table = AliasTable(isFromOutside: true)
  let (first, second) = (String(repeating: "a", count: 3 << 20), String(repeating: "b", count: 3 << 20))
  #expect(table.shown(Sample.secret(first)) == "<token#1>" && table.shown(Text("a plain word")) == "a plain word")
  #expect(table.shown(Sample.secret(second)) == "<token#2>" && table.shown(Text("a plain word")) == "<text#1>")
  #expect(table.shown(Text(first)) == "<token#1>" && table.shown(Sample.secret(second)) == "<token#2>")
}

/// Ground: what was sent only inside of something encoded comes back decoded.
@Test func whatSomethingIsMadeOfIsKnown() {
  var table = AliasTable(isFromOutside: true)
  let code = fresh("code", 1)
  let payload = Value.map(ValueMap([.init(key: .string("sub"), value: .list([.string(Sample.secret("hunter22"))]))]))
  #expect(table.shown(Text(origin: .derived(.base64url, .string(Text("me:") + code)))) == "<base64url#1>")
  #expect(table.shown(Text(origin: .derived(.jwt, payload))) == "<jwt#1>")
  #expect(table.shown(Text("\(code.string) of hunter22")) == "<code#1> of <token#1>")
}

/// Passwords of a simulated server are known before anybody types one.
@Test func whatIsKnownBeforehandIsNumberedAsItAppears() {
  var table = AliasTable(isFromOutside: true)
  let (first, second) = (Sample.secret("correct horse", "password"), Sample.secret("battery staple", "password"))
  let digest = Text(origin: .derived(.s256, .string(second)))
  table.know(.list([.string(first), .string(digest), .string(Sample.secret("73165409", "pin"))]))
  #expect(table.shown(Sample.secret("typed", "password")) == "<password#1>")
  #expect(table.shown(Text("not battery staple")) == "not <password#2>")
  #expect(table.shown(digest) == "<s256(password#2)>" && table.shown(first) == "<password#3>")
  #expect(table.shown(Sample.secret("typed", "password")) == "<password#1>")
  #expect(table.shown(Sample.secret("1234", "pin")) == "<pin#1>" && table.alias(ofNumber: "73165409") == "<pin#2>")
}

/// What is made of a digest may be sent, and is shown no more than the digest.
@Test func aDigestSaysWhatItIsMadeOf() throws {
  func made(_ source: String) throws -> Text {
    let token = ObjectType.Field(name: "code", type: .string, secret: "code")
    let scope = Scope(
      variables: [Scope.Variable(name: "memory", type: .object(ObjectType(title: "memory", fields: [token])), root: 0)])
    var frame = Frame(roots: [[.string(Text("482913").marked(secret: "code"))]])
    return try #require(try Expression.compile(source, in: scope).evaluate(&frame).text)
  }
  var table = AliasTable()
  #expect(try table.shown(made("s256(memory.code)")) == "<s256(code#1)>")
  #expect(try table.shown(made("memory.code")) == "<code#1>")
  #expect(try table.shown(made("'h=' + s256(memory.code)")) == "h=<s256(code#1)>")
  #expect(try table.shown(made("s256(s256(memory.code))")) == "<s256(s256(code#1))>")
  #expect(try table.shown(made("s256('a' + memory.code)")) == "<s256#1>")
  #expect(try table.shown(made("base64url(s256(memory.code))")) == "<s256#2>")
  #expect(try table.shown(made("s256('a')")) == "ypeBEsobvcr6wjGzmiPcTaeG7_gUfE5yuYB3ha_uSLs")
  #expect(try !made("s256(memory.code)").isSecret)
}

@Test func whatAPeerSaysBackHasItsAliasWhereverItStands() {
  var table = AliasTable(isFromOutside: true)
  #expect(table.shown(Sample.secret("hunter")) == "<token#1>")
  #expect(table.shown(Sample.secret("hunter22", "pin")) == "<pin#1>")
  #expect(table.shown(Sample.secret("short")) == "<token#2>")
  let state = fresh("state", 7)
  #expect(table.shown(state) == "<state#1>")
  #expect(table.shown(Text("hunters, hunter22, short <a#1>")) == "<token#1>s, <pin#1>, short <#a#1>")
  #expect(table.shown(Text("hunter")) == "<token#1>")
  #expect(table.shown(Text("of ") + Sample.secret("short") + Text("\(state.string)!")) == "of <token#2><state#1>!")
  #expect(table.shownInURL(Text("ä hunter")) == "%C3%A4%20<token#1>")
  var simulated = AliasTable()
  #expect(simulated.shown(Sample.secret("hunter")) == "<token#1>" && simulated.shown(Text("hunters")) == "hunters")
}
