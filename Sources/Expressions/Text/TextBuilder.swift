/// Puts texts behind one another, without copying for each what is there already.
package struct TextBuilder {
  private var string = ""
  private var spans: [Text.Span] = []

  package init() {}

  package mutating func append(_ plain: String) { string += plain }

  package mutating func append(_ text: Text) {
    if !text.isPlain {
      let offset = string.utf8.count
      for span in text.spans { spans.append(span.moved(by: offset)) }
    }
    string += text.string
  }

  package var text: Text { Text(string: string, spans: spans) }
}
