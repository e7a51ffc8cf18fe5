import JSONSyntax

extension DiagnosticRenderer {
  /// A JSON array for editors: `code severity file line column endLine endColumn message help` of each.
  ///
  /// Lines and columns count from 1, columns in characters; the end is behind the last character. What has no place
  /// has null there, as help has where there is none. Where a hidden value stands before either in its line, the place is
  /// wider: from where that begins, to the next line.
  package static func json(of diagnostics: [Diagnostic]) -> String {
    var writer = JSONWriter(.pretty)
    write(diagnostics, to: &writer)
    return writer.text + "\n"
  }

  /// The same inside of another document.
  package static func write(_ diagnostics: [Diagnostic], to writer: inout JSONWriter) {
    let sources = Excerpts.sources(of: diagnostics)
    writer.beginArray()
    for diagnostic in diagnostics.map({ $0.hiding(sources) }) {
      writer.beginObject()
      writer.member("code", diagnostic.code)
      writer.member("severity", diagnostic.severity.rawValue)
      if let site = diagnostic.labels.first?.site, let source = sources[site.document] {
        write(site, of: source, to: &writer)
      } else {
        for name in ["file", "line", "column", "endLine", "endColumn"] { writer.member(name, nil as String?) }
      }
      writer.member("message", diagnostic.message)
      writer.member("help", diagnostic.help)
      writer.endObject()
    }
    writer.endArray()
  }

  /// Where it is shown to begin.
  package static func position(of site: Site) -> (line: Int, column: Int) {
    let position = Excerpts(site.document).position(of: site.range.lowerBound)
    return (position.line, position.column)
  }

  private static func write(_ site: Site, of source: Excerpts, to writer: inout JSONWriter) {
    let start = source.position(of: site.range.lowerBound)
    let shownEnd = source.position(of: site.range.upperBound)
    var end = source.text.position(of: site.range.upperBound)
    if shownEnd != end { end = SourceText.Position(line: end.line + 1, column: 1) }
    writer.member("file", site.document.path)
    writer.member("line", start.line)
    writer.member("column", start.column)
    writer.member("endLine", end.line)
    writer.member("endColumn", end.column)
  }
}
