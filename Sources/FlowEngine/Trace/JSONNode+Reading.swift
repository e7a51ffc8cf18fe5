import Expressions
import JSONSyntax

extension JSONNode {
  subscript(name: String) -> JSONNode? {
    guard case .object(let members) = kind else { return nil }
    return members.first { $0.name == name }?.value
  }

  var text: String? {
    if case .string(let text) = kind { text } else { nil }
  }

  /// `nil` for what is no list; elements that are no strings are passed over.
  var texts: [String]? {
    if case .array(let elements) = kind { elements.compactMap(\.text) } else { nil }
  }

  var int: Int? {
    if case .int(let int) = kind { Int(exactly: int) } else { nil }
  }

  var bool: Bool? {
    if case .bool(let bool) = kind { bool } else { nil }
  }

  var elements: [JSONNode] {
    if case .array(let elements) = kind { elements } else { [] }
  }

  var members: [JSONMember] {
    if case .object(let members) = kind { members } else { [] }
  }

  /// The value in words: strings as they are, everything else as JSON.
  var words: String { text ?? json }

  /// The value as JSON on one line.
  var json: String {
    var writer = JSONWriter()
    writer.write(Value(body: self))
    return writer.text
  }
}
