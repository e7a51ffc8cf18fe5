import Expressions
import FlowEngine
import FlowInterpreter
import FlowSpec
import JSONSyntax

/// What `--config NAME=VALUE` and `--config-file FILE` give, by the number of the flow's config; the former overrules.
///
/// A value may be a secret: no error repeats it, nor any other word of the file that is not the name of a member.
enum GivenConfig {
  static func read(_ invocation: Invocation, for flow: Flow) throws(Failure) -> [Int: Value] {
    let written = try written(invocation, for: flow)
    let file = invocation.value(.configFile)
    var values: [Int: Value] = [:]
    if let file { values = try self.values(in: file, for: flow) }
    values.merge(written) { $1 }
    var config = flow.app.configValues
    for (index, value) in values { config[index] = value }
    guard let index = flow.configOfNoRedirectURI(in: config) else { return values }
    let (source, code) = written[index] == nil ? (file ?? "", ExitCode.invalidDocument) : ("--config", .usage)
    throw Failure(
      code, "the value of \(source) for \"\(flow.app.config[index].name)\" makes no redirect URI of the app",
      help: "a whole address is one, such as com.example.app:/callback or http://127.0.0.1/callback")
  }

  private static func written(_ invocation: Invocation, for flow: Flow) throws(Failure) -> [Int: Value] {
    var values: [Int: Value] = [:]
    for given in invocation.values(.config) {
      let parts = given.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
      guard parts.count == 2 else {
        let given = parts[0].mayBeChosen ? "\"\(parts[0])\"" : "what is given"
        throw Failure(.usage, "--config takes NAME=VALUE, and \(given) has no value")
      }
      let index = try index(of: parts[0], in: flow, givenBy: "--config", .usage)
      let key = flow.app.config[index]
      guard let value = key.field.value(written: parts[1]) else { throw badValue("--config", for: key, .usage) }
      guard values.updateValue(value, forKey: index) == nil else {
        throw Failure(.usage, "--config gives \"\(key.name)\" twice")
      }
    }
    return values
  }

  private static func values(in file: String, for flow: Flow) throws(Failure) -> [Int: Value] {
    var values: [Int: Value] = [:]
    for (name, written) in try members(of: file) {
      let index = try index(of: name, in: flow, givenBy: file, .invalidDocument)
      let key = flow.app.config[index]
      if key.secret, Files.isOpenToOthers(file) { throw .openToOthers(file, because: "\"\(name)\" is secret") }
      guard let value = key.field.given(Value(body: written)) else {
        throw badValue(file, for: key, .invalidDocument)
      }
      values[index] = value
    }
    return values
  }

  private static func members(of file: String) throws(Failure) -> [(String, JSONNode)] {
    let bytes = try Files.read(file, acceptsPipe: true)
    let help = "it is written like {\"clientId\": \"my-app\"}"
    // The column would tell how long a secret is.
    func line(_ place: Range<Int>) -> Int { bytes[..<place.lowerBound].count { $0 == UInt8(ascii: "\n") } + 1 }
    let root: JSONNode
    do throws(JSONSyntaxError) { root = try JSONParser.parse(bytes, as: .document) } catch {
      throw Failure(
        .invalidDocument, "\(file) is no JSON in line \(line(error.range)): \(error.wordsOfItsOwn)", help: help)
    }
    guard case .object(let members) = root.kind else {
      throw Failure(.invalidDocument, "\(file) is no JSON object", help: help)
    }
    if let twice = root.duplicateMembers().first {
      // Inside of a value a name may be a secret as well.
      let isSetting = members.contains { $0.nameRange == twice.again } && twice.name.mayBeChosen
      let name = isSetting ? "\"\(printable(twice.name))\"" : "the same name"
      throw Failure(.invalidDocument, "\(file) gives \(name) twice\(isSetting ? "" : ", in line \(line(twice.again))")")
    }
    return members.map { ($0.name, $0.value) }
  }

  private static func index(
    of name: String, in flow: Flow, givenBy source: String, _ code: ExitCode
  ) throws(Failure) -> Int {
    let names = flow.app.config.map(\.name)
    if let index = names.firstIndex(of: name) { return index }
    let given = name.mayBeChosen ? "\"\(printable(name))\"" : "of this name"
    throw Failure(
      code, "the flow has no config \(given), which \(source) gives", help: likely(name, among: names))
  }

  private static func badValue(_ source: String, for key: ConfigKey, _ code: ExitCode) -> Failure {
    let allowed = key.secret ? nil : key.field.allowed.map { "one of \($0.listed)" }
    return Failure(
      code, "the value of \(source) for \"\(key.name)\" does not fit what the flow declares",
      help: allowed ?? key.field.type.hint ?? (key.field.allowed == nil ? "a string in quotes, as JSON has it" : nil))
  }
}

extension JSONSyntaxError {
  /// What is wrong, without a character of the text that is none of JSON's own signs: it may be a secret's.
  fileprivate var wordsOfItsOwn: String {
    let parts = message.split(separator: "\"", omittingEmptySubsequences: false)
    let signs = ["{", "}", "[", "]", ",", ":", "\\u"]
    let isOwn = parts.indices.allSatisfy { $0 % 2 == 0 || signs.contains(String(parts[$0])) }
    // What stands beside the caret quotes nothing.
    return isOwn ? message : label
  }
}
