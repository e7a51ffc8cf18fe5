import Expressions
import Foundation
import JSONSyntax
import Testing

@testable import FlowEngine

/// What standards say of their own examples: `Tests/Vectors`, each with its `src`.
@Suite struct VectorTests {
  @Test func challengesAreReadAsTheStandardSays() throws {
    for vector in try vectors("www-authenticate", count: 48) { checkChallenges(vector) }
  }

  @Test func formsAreWrittenAndReadAsTheStandardSays() throws {
    for vector in try vectors("form-urlencoded", count: 14) { checkForm(vector) }
  }

  @Test func referencesAreResolvedAsTheStandardSays() throws {
    for vector in try vectors("rfc3986-resolution", count: 42) { checkReference(vector) }
  }

  @Test func proofKeysAreHeldAgainstTheirChallengesAsTheStandardSays() throws {
    let (shape, proof) = try Self.proofOfKey()
    for vector in try vectors("pkce", count: 19) { try checkProof(vector, shape: shape, proof: proof) }
  }

  /// RFC 7636 §4.1 asks for 43 to 128 unreserved characters; what a flow makes with `fresh` has them, simulated or live.
  @Test(arguments: [Mint.Seed.simulated, .live("seed")])
  func whatIsFreshIsGoodAsAProofKey(_ seed: Mint.Seed) throws {
    let (shape, _) = try Self.proofOfKey()
    var mint = Mint(seed: seed)
    for name in ["v", "codeVerifier", "aRatherLongNameForAVerifierThatIsNotCutOffAnywhere"] {
      for _ in 1...12 {
        var frame = Frame(roots: [[.string(Text(mint.make(Mint.Call(name)).string)), .null, .null]])
        #expect(try shape.evaluate(&frame) == .bool(true))
      }
    }
  }

  /// A server's check in CEL: the shape of a verifier, and whether it fits the challenge.
  private static func proofOfKey() throws -> (shape: Expressions.Expression, proof: Expressions.Expression) {
    let scope = Scope(
      variables: ["verifier", "method", "challenge"].enumerated().map { index, name in
        Scope.Variable(name: name, type: .string, root: index)
      },
      lets: [
        "unreserved": "'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~'",
        "wellFormed":
          "size(verifier) >= 43 && size(verifier) <= 128 && verifier.split('').all(c, unreserved.contains(c))",
      ])
    return (
      try Expressions.Expression.compile("wellFormed", in: scope),
      try Expressions.Expression.compile(
        "wellFormed && same(method == 'S256' ? s256(verifier) : verifier, challenge)", in: scope)
    )
  }

  private func vectors(_ name: String, count: Int) throws -> [JSONNode] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../Vectors/\(name).json")
    guard case .array(let all) = try JSONParser.parse(Array(Data(contentsOf: file)), as: .document).kind else {
      return []
    }
    #expect(all.count == count)
    return all
  }

  private func checkChallenges(_ vector: JSONNode) {
    let id = vector["id"]?.text ?? ""
    let lines = vector["lines"]?.texts ?? []
    let parsed = lines.map(Challenge.parse)
    guard let expected = vector["challenges"], case .array = expected.kind else {
      // `realm=` is a token68 to one grammar and a mistake to another.
      #expect(parsed.contains(nil) || vector["verdict"]?.text == "parse-error-or-token68", "\(id)")
      return
    }
    let challenges = parsed.flatMap { $0 ?? [] }
    #expect(
      challenges.map { $0.scheme.lowercased() } == expected.items.map { $0["scheme"]?.text?.lowercased() }, "\(id)")
    #expect(
      challenges.map { $0.parameters.map { [$0.name.lowercased(), $0.value] } }
        == expected.items.map { ($0["params"]?.items ?? []).map { $0.texts ?? [] } }, "\(id)")
  }

  private func checkForm(_ vector: JSONNode) {
    let value = vector["value"]?.text ?? "missing"
    let encoded = vector["encoded"]?.text ?? "missing"
    let field = NamedValue(name: value, value: .string(value))
    #expect(PercentEncoding.form([field, field]).string == "\(encoded)=\(encoded)&\(encoded)=\(encoded)")
    #expect(Address.parameters(Text("\(encoded)=\(encoded)&x=")).first == field, "\(encoded)")
  }

  private func checkReference(_ vector: JSONNode) {
    let base = Reference(Text(vector["base"]?.text ?? ""))
    let reference = vector["ref"]?.text ?? "missing"
    let target = Reference(Text(reference)).resolved(against: base)
    #expect(target.text.string == vector["target"]?.text, "\(reference)")
  }

  private func checkProof(_ vector: JSONNode, shape: Expressions.Expression, proof: Expressions.Expression) throws {
    let challenge: Value = vector["challenge"]?.text.map { .string($0) } ?? .null
    var frame = Frame(roots: [
      [.string(vector["verifier"]?.text ?? "")], [.string(vector["method"]?.text ?? "")], [challenge],
    ])
    let id = vector["id"]?.text ?? ""
    #expect(try shape.evaluate(&frame) == .bool(challenge != .null), "\(id)")
    let valid = vector["valid"].map { Value(body: $0) }
    #expect(try proof.evaluate(&frame) == valid, "\(id)")
  }
}

extension JSONNode {
  fileprivate var items: [JSONNode] { if case .array(let items) = kind { items } else { [] } }
}

extension Reference {
  /// The components put together again (RFC 3986 §5.3).
  fileprivate var text: Text {
    var text = scheme.map { $0 + Text(":") } ?? Text("")
    if let authority { text.append(Text("//") + authority) }
    text.append(path)
    if let query { text.append(Text("?") + query) }
    if let fragment { text.append(Text("#") + fragment) }
    return text
  }
}
