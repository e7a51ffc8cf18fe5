import JSONSyntax

extension DiagnosticRenderer {
  /// A JSON array for editors: `code severity file line column endLine endColumn message help` of each.
  ///
  /// Lines and columns count from 1, columns in characters; the end is behind the last character. What has no place
  /// leaves its members out; without help it is null.
  package static func json(of diagnostics: [Diagnostic]) -> String {
    var sources: [Document: SourceText] = [:]
    var writer = JSONWriter(.pretty)
    writer.beginArray()
    for diagnostic in diagnostics {
      writer.beginObject()
      write("code", diagnostic.code, to: &writer)
      write("severity", diagnostic.severity.rawValue, to: &writer)
      if let site = diagnostic.labels.first?.site {
        let source = sources[site.document] ?? SourceText(site.document.bytes)
        sources[site.document] = source
        write(site, of: source, to: &writer)
      }
      write("message", diagnostic.message, to: &writer)
      writer.name("help")
      if let help = diagnostic.help { writer.string(help) } else { writer.null() }
      writer.endObject()
    }
    writer.endArray()
    return writer.text + "\n"
  }

  private static func write(_ name: String, _ value: String, to writer: inout JSONWriter) {
    writer.name(name)
    writer.string(value)
  }

  private static func write(_ site: Site, of source: SourceText, to writer: inout JSONWriter) {
    let start = source.position(of: site.range.lowerBound)
    let end = source.position(of: site.range.upperBound)
    write("file", site.document.path, to: &writer)
    for (name, number) in [
      ("line", start.line), ("column", start.column), ("endLine", end.line), ("endColumn", end.column),
    ] {
      writer.name(name)
      writer.int(Int64(number))
    }
  }
}
