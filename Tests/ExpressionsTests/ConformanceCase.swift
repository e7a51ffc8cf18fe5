@testable import Expressions

/// One case of the conformance file.
struct ConformanceCase {
  enum Expected {
    case value(Value)
    case error
    /// Only a type, which is not looked at.
    case type
  }

  enum Outcome {
    case value(Value)
    case problem(EvaluationError)
  }

  let id: String
  let expression: String
  let isInProfile: Bool
  private let node: ValueMap

  init(_ value: Value) {
    node = value.members
    id = node["id"]?.text?.string ?? ""
    expression = node["expr"]?.text?.string ?? ""
    isInProfile = node["inProfile"] == .bool(true)
  }

  var expected: Expected {
    let expect = node["expect"]?.members ?? ValueMap()
    if let value = expect["value"] { return .value(value) }
    return expect["error"] == nil ? .type : .error
  }

  /// `nil` where the case needs what the language does not have: a container, a variable with a dot in its name, a value
  /// of another kind.
  func outcome() -> Outcome? {
    guard node["container"] == nil else { return nil }
    let types = node["typeEnv"]?.members["idents"]?.members ?? ValueMap()
    var scope = Scope(variables: [], abilities: [.epochSeconds])
    var roots: [[Value]] = []
    for entry in node["bindings"]?.members.entries ?? [] {
      guard let name = entry.key.text?.string, !name.contains("."), let value = Self.value(entry.value) else {
        return nil
      }
      let type = types[name]?.text.map { Self.type($0.string) } ?? .dyn
      scope.variables.append(Scope.Variable(name: name, type: type, root: roots.count))
      roots.append([value])
    }
    let isChecked = node["disableCheck"] != .bool(true)
    var frame = Frame(roots: roots)
    do {
      let compiled = try Expression.compile(expression, in: scope, expecting: nil, checked: isChecked)
      return .value(try compiled.evaluate(&frame))
    } catch let problems as ExpressionProblems {
      return .problem(EvaluationError(code: problems.all[0].code, message: problems.all[0].message))
    } catch let error as EvaluationError {
      return .problem(error)
    } catch { return nil }
  }

  func isSame(_ value: Value, _ expected: Value) -> Bool {
    guard let expected = Self.value(expected) else { return false }
    return Self.isSame(value, expected)
  }

  /// Of the same kind as well, unlike `==` of the language; what is not a number equals itself.
  private static func isSame(_ left: Value, _ right: Value) -> Bool {
    switch (left, right) {
    case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern || (left.isNaN && right.isNaN)
    case (.list(let left), .list(let right)): left.count == right.count && zip(left, right).allSatisfy(isSame)
    case (.map(let left), .map(let right)):
      left.count == right.count
        && left.entries.allSatisfy { entry in right[entry.key].map { isSame(entry.value, $0) } ?? false }
    default: left == right
    }
  }

  /// `nil` for kinds outside the profile.
  private static func value(_ node: Value) -> Value? {
    let members = node.members
    let inner = members["value"] ?? .null
    switch members["type"]?.text?.string {
    case "null": return .null
    case "bool": return inner
    case "int": return (inner.text?.string).flatMap { Int64($0) }.map(Value.int)
    case "double":
      return (members["bits"]?.text?.string).flatMap { UInt64($0, radix: 16) }
        .map { .double(Double(bitPattern: $0)) }
    case "string": return inner
    case "list":
      guard case .list(let elements) = inner else { return nil }
      let values = elements.compactMap(value)
      return values.count == elements.count ? .list(values) : nil
    case "map":
      guard case .list(let pairs) = inner else { return nil }
      var map = ValueMap()
      for case .list(let pair) in pairs {
        guard pair.count == 2, let key = value(pair[0]), let value = value(pair[1]) else { return nil }
        map[key] = value
      }
      return .map(map)
    default: return nil
    }
  }

  private static func type(_ name: String) -> ValueType {
    switch name {
    case "bool": .bool
    case "int": .int
    case "double": .double
    case "string": .string
    case _ where name.hasPrefix("list("): .list(type(String(name.dropFirst(5).dropLast())))
    case _ where name.hasPrefix("map(string, "): .map(key: .string, value: type(String(name.dropFirst(12).dropLast())))
    default: .dyn
    }
  }
}

extension Value {
  /// The members of an object, none for anything else.
  var members: ValueMap { if case .map(let map) = self { map } else { ValueMap() } }
}
