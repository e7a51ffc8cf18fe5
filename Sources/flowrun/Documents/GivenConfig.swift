import Expressions
import FlowInterpreter
import FlowSpec

/// What `--config NAME=VALUE` gives, by the number of the flow's config.
enum GivenConfig {
  static func read(_ invocation: Invocation, for flow: Flow) throws(Failure) -> [Int: Value] {
    var values: [Int: Value] = [:]
    for given in invocation.values(.config) {
      let parts = given.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
      guard parts.count == 2 else {
        throw Failure(.usage, "--config takes NAME=VALUE, and \"\(parts[0])\" has no value")
      }
      let index = try index(of: parts[0], in: flow)
      let key = flow.app.config[index]
      guard let value = key.field.value(written: parts[1]) else { throw badValue(for: key) }
      guard values.updateValue(value, forKey: index) == nil else {
        throw Failure(.usage, "--config gives \"\(key.name)\" twice")
      }
    }
    return values
  }

  private static func index(of name: String, in flow: Flow) throws(Failure) -> Int {
    let names = flow.app.config.map(\.name)
    if let index = names.firstIndex(of: name) { return index }
    let nearest = nearestName(to: name, among: names).map { "did you mean \"\($0)\"?" }
    throw Failure(
      .usage, "the flow has no config \"\(name)\"",
      help: nearest ?? (names.isEmpty ? "it has none" : "it has \(names.joined(separator: ", "))"))
  }

  /// The value may be a secret: it is not repeated.
  private static func badValue(for key: ConfigKey) -> Failure {
    let allowed = key.field.allowed.map { "one of \($0.joined(separator: ", "))" }
    return Failure(
      .usage, "the value of --config for \"\(key.name)\" does not fit what the flow declares",
      help: allowed ?? key.type.hint)
  }
}
