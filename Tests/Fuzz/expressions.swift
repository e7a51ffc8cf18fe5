import Expressions
import JSONSyntax

/// Compiles any text as an expression and as a template, and evaluates what compiles over values of every type.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let source = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  do throws(ExpressionProblems) {
    let expression = try Expression.compile(source, in: scope)
    var frame = frame
    for reading in expression.readings { _ = reading.evaluate(&frame) }
    if case .some(let value) = try? expression.evaluate(&frame) { check(value) }
  } catch { check(error, in: source) }
  do throws(ExpressionProblems) {
    let template = try Template.compile(source, in: scope)
    var frame = frame
    if case .some(.some(let value)) = try? template.evaluate(&frame) { check(value) }
  } catch { check(error, in: source) }
  return 0
}

private func check(_ problems: ExpressionProblems, in source: String) {
  precondition(!problems.all.isEmpty, "what does not compile has a reason")
  for problem in problems.all {
    precondition(problem.range.upperBound <= source.utf8.count, "a problem lies in the source")
  }
}

/// Equality is reflexive but for what holds a number that is none, and writing reads every part.
private func check(_ value: Value) {
  var writer = JSONWriter()
  writer.write(value)
  _ = value.unwrapped.scalarText
  precondition(value == value || holdsNaN(value), "a value equals itself")
}

private func holdsNaN(_ value: Value) -> Bool {
  switch value {
  case .double(let number): number.isNaN
  case .list(let elements): elements.contains(where: holdsNaN)
  case .map(let map): map.entries.contains { holdsNaN($0.key) || holdsNaN($0.value) }
  case .optional(let value): value.map(holdsNaN) ?? false
  case .null, .bool, .int, .string, .timestamp, .duration: false
  }
}

private let row = ObjectType(
  title: "a row of users",
  fields: [
    ObjectType.Field(name: "status", type: .string, allowed: ["NEW", "ACTIVE"]),
    ObjectType.Field(name: "seen", type: .timestamp),
    ObjectType.Field(name: "tags", type: .list(.string), isNullable: false),
  ])

private let scope = Scope(
  variables: [
    Scope.Variable(
      name: "store",
      type: .object(
        ObjectType(
          title: "store",
          fields: [
            ObjectType.Field(name: "token", type: .string, secret: "token"),
            ObjectType.Field(name: "state", type: .string), ObjectType.Field(name: "unset", type: .string),
            ObjectType.Field(name: "at", type: .timestamp), ObjectType.Field(name: "for", type: .duration),
            ObjectType.Field(name: "n", type: .int), ObjectType.Field(name: "d", type: .double),
            ObjectType.Field(name: "b", type: .bool, isNullable: false),
            ObjectType.Field(name: "users", type: .map(key: .string, value: .object(row)), isNullable: false),
            ObjectType.Field(name: "text", type: .string),
          ])), root: 0),
    Scope.Variable(name: "json", type: .dyn, root: 1), Scope.Variable(name: "now", type: .timestamp, root: 2),
  ],
  lets: ["two": "one + one", "one": "store.text + store.text", "knot": "knot", "known": "store.n != null"],
  abilities: [.mint, .jwt, .epochSeconds])

private let frame: Frame = {
  let now = Timestamp(text: "2026-01-01T09:00:00.5Z").map { Value.timestamp($0) } ?? .null
  let user = ValueMap([
    ValueMap.Entry(key: .string("status"), value: .string("NEW")), ValueMap.Entry(key: .string("seen"), value: now),
    ValueMap.Entry(key: .string("tags"), value: .list([.string("x"), .string("é👩‍👩‍👧")])),
  ])
  var mint = Mint(seed: .simulated)
  let state = mint.make(Mint.Call("state"))
  let text = #"{"a": {"b": [1, 2.5, null, "x", true, {}]}, "n": 9223372036854775807, "e": ""}"#
  let json = (try? JSONParser.parse(Array(text.utf8), as: .body)).map { Value(body: $0) } ?? .null
  return Frame(
    roots: [
      [
        .string(Text("tökén").marked(secret: "token")), .string(Text("a=") + state), .null, now,
        .duration(.seconds(90)), .int(-3), .double(2.5), .bool(true),
        .map(ValueMap([ValueMap.Entry(key: .string("u-1"), value: .map(user))])), .string("a,b%20c"),
      ], [json], [now],
    ], mint: mint, budget: 100_000)
}()
