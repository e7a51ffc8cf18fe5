import JSONSyntax

@testable import Expressions

/// A store, a table, a response and the time, as a flow has them.
enum World {
  static let row = ObjectType(
    title: "a row of users",
    fields: [
      ObjectType.Field(name: "status", type: .string, allowed: ["NEW", "ACTIVE"]),
      ObjectType.Field(name: "email", type: .string, secret: "email"),
      ObjectType.Field(name: "seen", type: .timestamp),
      ObjectType.Field(name: "tags", type: .list(.string), isNullable: false),
    ])

  static let store = ObjectType(
    title: "store",
    fields: [
      ObjectType.Field(name: "token", type: .string, secret: "token"),
      ObjectType.Field(name: "id", type: .string),
      ObjectType.Field(name: "unset", type: .string),
      ObjectType.Field(name: "expiresAt", type: .timestamp),
      ObjectType.Field(name: "count", type: .int),
      ObjectType.Field(name: "registered", type: .bool, isNullable: false),
      ObjectType.Field(name: "kind", type: .string, allowed: ["SOCIAL", "PASSWORDLESS"]),
      ObjectType.Field(name: "codes", type: .list(.string), isNullable: false),
      ObjectType.Field(name: "users", type: .map(key: .string, value: .object(row)), isNullable: false),
      ObjectType.Field(name: "state", type: .string),
      ObjectType.Field(name: "never", type: .timestamp),
    ])

  static let scope = Scope(
    variables: [
      Scope.Variable(name: "store", type: .object(store), root: 0),
      Scope.Variable(name: "response", type: .object(response), root: 1),
      Scope.Variable(name: "now", type: .timestamp, root: 2),
      Scope.Variable(name: "config", type: .object(ObjectType(title: "config", fields: [])), root: 3),
    ],
    lets: [
      "canRefresh": "present(store.token)", "user": "store.users[store.id]", "one": "two", "two": "one",
      "broken": "store.cuont > 1", "known": "store.count != null", "kindly": "store.kind",
      "big": "[1, 2].map(x, x + 1)",
    ],
    elsewhere: ["event": "only in the transitions of an event"],
    abilities: [.mint, .jwt, .epochSeconds])

  static let response = ObjectType(
    title: "response",
    fields: [
      ObjectType.Field(name: "status", type: .int, isNullable: false),
      ObjectType.Field(name: "json", type: .dyn, isNullable: false),
      ObjectType.Field(name: "headers", type: .map(key: .string, value: .string), isNullable: false),
    ])

  static var now: Timestamp { instant("2026-01-01T09:00:00Z") }

  static func instant(_ text: String) -> Timestamp {
    guard let instant = Timestamp(text: text) else { preconditionFailure("The test names an instant.") }
    return instant
  }

  static var frame: Frame {
    Frame(roots: [
      [
        .string(Text("t0k3n").marked(secret: "token")), .string("u-1"), .null,
        .timestamp(instant("2026-01-01T09:10:00Z")), .int(3), .bool(true), .string("SOCIAL"),
        .list([.string("a"), .string("b")]), .map(users),
        .string(Text(origin: .fresh(name: "state", number: 1, seed: .simulated))), .null,
      ],
      [
        .int(200), json(#"{"error": "gone", "data": {"n": 1, "none": null}, "list": [1, 2.5]}"#),
        json(#"{"etag": "x"}"#),
      ], [.timestamp(now)],
    ])
  }

  private static var users: ValueMap {
    ValueMap([
      ValueMap.Entry(key: .string("u-2"), value: user("NEW", .null)),
      ValueMap.Entry(key: .string("u-1"), value: user("ACTIVE", .timestamp(now))),
    ])
  }

  private static func user(_ status: String, _ seen: Value) -> Value {
    .map(
      ValueMap([
        ValueMap.Entry(key: .string("status"), value: .string(status)),
        ValueMap.Entry(key: .string("email"), value: .string(Text("a@b.c").marked(secret: "email"))),
        ValueMap.Entry(key: .string("seen"), value: seen),
        ValueMap.Entry(key: .string("tags"), value: .list([.string("x")])),
      ]))
  }

  static func json(_ text: String) -> Value {
    guard let node = try? JSONParser.parse(Array(text.utf8), as: .body) else { return .null }
    return Value(body: node)
  }

  /// The value as JSON, `none` for an absent optional, or the code of what went wrong.
  static func result(of source: String) -> String {
    do {
      var frame = frame
      return shown(try Expression.compile(source, in: scope).evaluate(&frame))
    } catch let problems as ExpressionProblems {
      return "check: " + problems.all.map(\.code).joined(separator: " ")
    } catch let error as EvaluationError {
      return "run: " + error.code
    } catch { return "?" }
  }

  static func value(of source: String) throws -> Value {
    var frame = frame
    return try Expression.compile(source, in: scope).evaluate(&frame)
  }

  static func shown(_ value: Value) -> String {
    if value == .optional(nil) { return "none" }
    var writer = JSONWriter()
    writer.write(value)
    return writer.text
  }
}
