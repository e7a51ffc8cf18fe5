import Testing

@testable import Expressions

@Suite struct MarkTests {
  /// Each expression with its text, `<name:…>` around what is secret and `{…}` around what has an origin.
  static let marks: [(String, String)] = [
    ("'Bearer ' + store.token", "Bearer <token:t0k3n>"), ("store.token.substring(1, 3) + 'x'", "<token:0k>x"),
    ("('a,' + store.token).split(',')[1]", "<token:t0k3n>"), ("['a', store.token].join('-')", "a-<token:t0k3n>"),
    ("(' ' + store.token).trim()", "<token:t0k3n>"), ("('a' + store.token).upperAscii()", "<token:AT0K3N>"),
    ("('a' + store.token).replace('a', 'b')", "<token:bt0k3n>"), ("'abc'.replace('b', store.token)", "<token:at0k3nc>"),
    ("urlEncode('a ' + store.token)", "<token:a%20t0k3n>"), ("base64url(store.token)", "<token:dDBrM24>"),
    ("s256(store.token).substring(0, 2)", "[token:uB]"), ("s256('a').substring(0, 2)", "yp"),
    ("base64url(s256('a' + store.token).substring(0, 2)) + 'x'", "[token:WjI]x"),
    ("string(store.token)", "<token:t0k3n>"),
    ("store.users[store.id].email", "<email:a@b.c>"), ("('a' + store.token).split(',')[0].substring(0, 1)", "a"),
    ("'x' + fresh('s') + 'y'", "x{s-1________________________________________}y"),
    ("newId('user') + '!'", "{user-1}!"),
    ("s256(fresh('v')) == s256('v-1' + '" + String(repeating: "_", count: 40) + "') ? 'same' : 'no'", "same"),
    ("('ab' + fresh('s')).substring(0, 2)", "ab"), ("('a' + newId('u')).substring(1)", "{u-1}"),
    ("('  ' + 'x' + newId('u') + 'y ').trim()", "x{u-1}y"),
    ("('a' + newId('u')).substring(0, 2)", "run: looks-into-fresh"),
    ("urlEncode(newId('a b'))", "{a%20b-1}"),
  ]

  static let looks: [(String, String)] = [
    ("store.state < 'x'", "run: looks-into-fresh"), ("size(store.state)", "run: looks-into-fresh"),
    ("store.state.contains('s')", "run: looks-into-fresh"), ("'x'.contains(store.state)", "run: looks-into-fresh"),
    ("store.state.split('-')", "run: looks-into-fresh"), ("store.state.upperAscii()", "run: looks-into-fresh"),
    ("store.state.replace('a', 'b')", "run: looks-into-fresh"), ("int(store.state)", "run: looks-into-fresh"),
    ("(' ' + store.state).trim()", "run: looks-into-fresh"), ("store.state.substring(3)", "run: looks-into-fresh"),
    ("store.state.startsWith('st')", "run: looks-into-fresh"), ("('ab' + store.state).startsWith('ab')", "true"),
    ("('ab' + store.state).startsWith('ac')", "false"), ("(store.state + 'x').startsWith(store.state)", "true"),
    ("('a' + store.state).endsWith(store.state)", "true"), ("(store.state + 'x').endsWith('x')", "true"),
    ("store.state == 'x'", "false"), ("store.state == store.state", "true"), ("present(store.state)", "true"),
    ("claims(jwt({'sub': store.state, 'exp': now})).sub == store.state", "true"),
    ("claims(jwt({'t': store.token})).t == 't0k3n'", "true"),
  ]

  @Test(arguments: marks) func marksAreSpans(source: String, text: String) { checkMarks(source, text) }

  @Test(arguments: looks) func freshValuesAreNotLookedInto(source: String, result: String) {
    #expect(World.result(of: source) == result)
  }

  /// A real server's text is hidden for not being known, and may hold a number that a flow needs.
  @Test func ofWhatIsNotKnownToBeSecretANumberIsMade() throws {
    let int = try #require(Function.conversions.first { $0.name == "int" }?.body)
    let text = Text("a,7").marked(secret: Text.unknownSecret)
    let part = try #require(text.slice(2..<3))
    #expect(part.isSecret)
    #expect(try int(Arguments(.string(part)), 0..<1) == .int(7))
    #expect(throws: EvaluationError.self) { try int(Arguments(.string(Text("7").marked(secret: "text"))), 0..<1) }
  }

  /// The token is secret as a whole, and what it says where that is known to have been so before.
  @Test func aClaimIsSecretWhereWhatWasPutInWas() throws {
    checkMarks(
      "claims(jwt({'t': store.token + fresh('x')})).t", "<token:t0k3n>{x-1________________________________________}")
    checkMarks("claims(jwt({'a': {'t': [store.token]}, 'id': fresh('x')})).a.t[0]", "<token:t0k3n>")
    checkMarks("claims(jwt({'t': store.token, 'sub': 'ada', 'id': fresh('x')})).sub", "ada")
    let token = try World.value(of: "jwt({'t': store.token})").text
    #expect(token?.firstSecret == "token")
    #expect(token?.string.hasSuffix(".simulated") == true)
  }

  static let numbers: [(String, String)] = [
    ("int(store.token)", "check: secret-without-text"), ("double('1' + store.token)", "check: secret-without-text"),
    ("timestamp(store.token)", "check: secret-without-text"), ("bool(store.token)", "check: secret-without-text"),
    ("store.token.split('').map(c, int(c))", "check: secret-without-text"),
    ("{store.token: 1}.map(k, duration(k))", "check: secret-without-text"),
    ("int(dyn(store.token))", "run: secret-without-text"), ("isInt(store.token)", "check: secret-without-text"),
    ("isInt(dyn('1' + store.token))", "false"), ("isString(store.token)", "true"),
    ("isInt(fresh('a'))", "run: looks-into-fresh"), ("int(store.id.substring(2)) + 1", "2"),
    ("size(store.token)", "5"), ("{store.token: 1}.map(k, k) == ['t0k3n']", "true"),
  ]

  @Test(arguments: numbers) func secretsStayText(source: String, result: String) {
    #expect(World.result(of: source) == result)
  }

  @Test func keysOfMapsKeepTheirMarks() throws {
    #expect(try World.value(of: "{store.token: 1}.map(k, k + '!')").firstSecret == "token")
    #expect(try World.value(of: "{store.token: 1}.filter(k, true)[0].substring(1)").firstSecret == "token")
  }

  /// In each place of each function that takes texts: what is made of a secret is marked, a bool, or refused.
  @Test(arguments: [Function.global, Function.methods].flatMap(\.values).map(\.name).sorted())
  func noFunctionTakesTheMarkAway(name: String) throws {
    // A length may be known; a token claims what was no secret too; where a text is cut is not seen in its pieces.
    let excepted = ["size 0", "claims 0", "split 1"]
    for function in [Function.global[name], Function.methods[name]].compactMap(\.self) where function.body != nil {
      for place in function.parameters.indices where !excepted.contains("\(name) \(place)") {
        let secrets = Self.secrets.filter { function.parameters[place].contains($0.shape) }
        var isTold = secrets.isEmpty
        for secret in secrets {
          guard let result = Self.result(of: function, secret, at: place) else { continue }
          isTold = true
          #expect(result.isHidden, "\(name), argument \(place)")
        }
        #expect(isTold, "\(name), argument \(place): nothing is made of any of these texts")
      }
    }
  }

  private static let secrets = ["482913", "true", "90s", "2026-01-01T09:00:00Z"].flatMap { text in
    let secret = Value.string(text).marked(secret: "code")
    let map = Value.map(ValueMap([ValueMap.Entry(key: .string("a"), value: secret)]))
    return [secret, .list([.string("a"), secret]), map, .optional(secret)]
  }

  /// What a function makes of a secret and of plain arguments beside it; null where it refuses, `nil` where it fails.
  private static func result(of function: Function, _ secret: Value, at place: Int) -> Value? {
    let plain: [Value] = [.string("a482913b"), .list([.string("a"), .string("b")])]
    let values = function.parameters.enumerated().map { index, shape in
      index == place ? secret : plain.first { shape.contains($0.shape) } ?? .int(Int64(index))
    }
    let arguments = Arguments(values[0], Array(values.dropFirst()))
    do throws(EvaluationError) { return try function.body?(arguments, 0..<1) } catch {
      return error.code == "secret-without-text" ? .null : nil
    }
  }

  @Test func aMarkLeavesWhatIsFreshAsItIs() {
    let fresh = Text(origin: .fresh(name: "f", number: 1, seed: .simulated))
    let marked = (Text("a") + fresh).marked(secret: "s")
    #expect(marked.isWhollySecret && marked.hasOrigin)
  }

  @Test func textsAreTheSameWithTheirMarksAndSeedsAlone() {
    let (a, b) = (Text("a").marked(secret: "s"), Text("b"))
    #expect(a + b == a + b)
    #expect(a + b != Text("a") + b.marked(secret: "s"))
    let origins = [Mint.Seed.simulated, .live("x"), .live("y")].map { Origin.fresh(name: "f", number: 1, seed: $0) }
    #expect(origins[1] != origins[0] && origins[1] != origins[2])
    #expect(Text(origin: origins[1]) != Text(origin: origins[2]))
  }

  @Test func liveFreshValuesAreUnlike() {
    var mint = Mint(seed: .live("seed"))
    let values = [mint.make(Mint.Call("a")), mint.make(Mint.Call("a")), mint.make(Mint.Call("b"))].map(\.string)
    #expect(Set(values).count == 3)
    #expect(values.allSatisfy { $0.utf8.count == 43 })
    var again = Mint(seed: .live("seed"))
    #expect(again.make(Mint.Call("a")).string == values[0])
  }

  /// Another installation's `payment-1` is another payment.
  @Test func liveIdentifiersAreUnlike() {
    func identifiers(_ seed: Mint.Seed) -> [String] {
      var mint = Mint(seed: seed)
      return ["payment", "payment", "user"].map { mint.make(Mint.Call($0, isFresh: false)).string }
    }
    #expect(identifiers(.simulated) == ["payment-1", "payment-2", "user-1"])
    let (one, other) = (identifiers(.live("one")), identifiers(.live("other")))
    #expect(Set(one + other).count == 6)
    #expect(one == identifiers(.live("one")))
    #expect(one[0].hasPrefix("payment-") && one[0].utf8.count == "payment-".utf8.count + 22)
  }

  private func checkMarks(_ source: String, _ expected: String) {
    do {
      let value = try World.value(of: source)
      #expect(value.text.map(shown) == expected)
    } catch let error as EvaluationError {
      #expect("run: " + error.code == expected)
    } catch { Issue.record("\(source): \(error)") }
  }

  private func shown(_ text: Text) -> String {
    var result = ""
    for (offset, byte) in (Array(text.string.utf8) + [0]).enumerated() {
      for span in text.spans where span.range.upperBound == offset {
        switch span.kind {
        case .secret: result += ">"
        case .origin: result += "}"
        case .digest, .kept: result += "]"
        }
      }
      for span in text.spans where span.range.lowerBound == offset {
        switch span.kind {
        case .secret(let name): result += "<\(name):"
        case .origin: result += "{"
        case .digest(let text): result += "[\(text.firstSecret ?? ""):"
        case .kept(let name): result += "[\(name):"
        }
      }
      if byte != 0 { result.unicodeScalars.append(Unicode.Scalar(byte)) }
    }
    return result
  }

  @Test func changingWhatIsKnownKeepsMarksAndWhatIsFresh() {
    let fresh = Text(origin: .fresh(name: "f", number: 1, seed: .simulated))
    let text = Text("a&") + Text("b&c").marked(secret: "s") + fresh + Text("&") + fresh.marked(secret: "t")
    let changed = text.mappingKnown { $0.uppercased() + "." }
    let expected = Text("A&.") + Text("B&C.").marked(secret: "s") + fresh + Text("&.") + fresh.marked(secret: "t")
    #expect(changed == expected)
    #expect(Text("a").mappingKnown { $0 + "!" } == Text("a!"))
    // A secret over a part of a fresh value cannot be cut: nothing is changed, and nothing is lost.
    let odd = Text(string: fresh.string, spans: fresh.spans + [Text.Span(range: 0..<3, kind: .secret(name: "s"))])
    #expect(odd.mappingKnown { $0 + "!" } == odd)
  }

  /// All spans were looked at for each piece, and all that was joined before was copied.
  @Test func manyMarksCostNoMoreThanTheirNumber() {
    let count = 20_000
    let spans = (0..<count).map { Text.Span(range: 3 * $0..<3 * $0 + 2, kind: .secret(name: "s")) }
    let text = Text(string: String(repeating: "ab&", count: count), spans: spans)
    #expect(text.mappingKnown { $0.uppercased() }.spans == spans)
    #expect(text.mappingKnown { $0 + "-" }.spans.last?.range == 5 * count - 5..<5 * count - 2)
  }

  @Test func piecesInOrderAreThoseThatAreCutOneByOne() {
    let fresh = Text(origin: .fresh(name: "f", number: 1, seed: .simulated))
    let parts = [Text("a"), Text("bc").marked(secret: "s"), fresh, Text("d").marked(secret: "t"), Text("ef")]
    let text = parts.reduce(Text(""), +)
    let end = text.string.utf8.count
    let bounds = [0, 1, 2, 3, 4, end - 4, end - 3, end - 2, end - 1, end]
    for first in bounds {
      for second in bounds where second >= first {
        for third in bounds where third >= second {
          let ranges = [first..<second, second..<second, second..<third, third..<end]
          #expect(text.slices(ranges) == ranges.map { text.slice($0) })
        }
      }
    }
  }
}

extension Value {
  fileprivate var isHidden: Bool {
    switch self {
    case .null, .bool: true
    default: holdsSecret || text?.firstHidden != nil
    }
  }
}

extension Function {
  /// What gives a value for a call; `nil` for what asks for no more than whether something is there.
  fileprivate var body: Body? {
    switch work {
    case .make(let body): body
    case .askConversion(let convert):
      { arguments, range throws(EvaluationError) in
        .bool(try Function.gives(something: convert, of: arguments[0].unwrapped, at: range))
      }
    case .askPresence, .askSameness: nil
    }
  }
}
