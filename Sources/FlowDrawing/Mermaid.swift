import FlowEngine
import FlowSpec

/// What Mermaid's two kinds of diagram share: names that it takes for names, and text that it shows as it is.
enum Mermaid {
  /// Words with which Mermaid begins a line of its own, however they are capitalised; in small letters.
  private static let reserved: Set<String> = [
    "accdescr", "acctitle", "activate", "actor", "alt", "and", "as", "autonumber", "box", "break", "choice", "class",
    "classdef", "click", "create", "critical", "deactivate", "default", "destroy", "details", "direction", "else",
    "end", "fork", "href", "join", "link", "links", "loop", "note", "off", "opt", "option", "over", "par",
    "participant", "properties", "rect", "root", "scale", "sequencediagram", "state", "statediagram", "style", "title",
  ]

  /// A name that Mermaid reads as one word; the same for the same name.
  static func name(_ name: String) -> String {
    let letters = name.unicodeScalars.map { scalar -> String in
      let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
      return isPlain ? String(scalar) : "_\(String(scalar.value, radix: 16))_"
    }
    let word = letters.joined()
    return reserved.contains(word.lowercased()) || word.unicodeScalars.first.map { ("0"..."9").contains($0) } ?? true
      ? "_" + word : word
  }

  /// A title, or the name of what has none that can be seen.
  static func title(_ title: String?, orName name: String) -> String {
    guard let title, !title.allSatisfy(\.isWhitespace) else { return name }
    return title
  }

  /// A line of a sequence diagram as Mermaid reads it: from "style" or "classDef" on it takes what follows a colon for
  /// colours, and drops the end of an entity there.
  static func line(_ line: String) -> String {
    guard line.contains("style") || line.contains("classDef") else { return line }
    let scalars = Array(line.unicodeScalars)
    return scalars.indices.map { index in
      let isInText = scalars[index] == ":" && index + 1 < scalars.count && scalars[index + 1] != " "
      return isInText ? "#58;" : String(scalars[index])
    }.joined()
  }

  /// Text in a sequence diagram, in lines of about `width` characters: what Mermaid would read as its own is written as
  /// an entity.
  static func message(_ text: String, width: Int) -> String {
    var lines: [String] = []
    for word in printable(text).split(separator: " ") {
      if let line = lines.last, line.count + 1 + word.count <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    let message = lines.map { escaped($0, "#;<>&%") }.joined(separator: "<br/>")
    // In front these are an order to Mermaid.
    let order = ["wrap:", "nowrap:"].first(where: message.hasPrefix)
    return order.map { "\($0.dropLast())#58;\(message.dropFirst($0.count))" } ?? message
  }

  /// Text on a state or an arrow of a state diagram, where Mermaid breaks lines itself.
  static func label(_ text: String) -> String {
    let label = escaped(printable(text), "#;:<>&%\"{}`*_\\~$")
    // Two brackets begin a word of Mermaid, such as [[fork]].
    return label.split(separator: "[", omittingEmptySubsequences: false).enumerated().map { index, part in
      index > 0 && part.isEmpty ? "#91;" : index > 0 ? "[" + part : String(part)
    }.joined()
  }

  private static func escaped(_ text: String, _ special: String) -> String {
    text.unicodeScalars.map { special.unicodeScalars.contains($0) ? "#\($0.value);" : String($0) }.joined()
  }
}
