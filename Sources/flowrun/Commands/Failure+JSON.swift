import FlowSpec
import JSONSyntax

extension Console {
  /// Does what prints one JSON object; where that fails, the object says why, so that whoever reads it finds one.
  func tellingFailure(asJSON isJSON: Bool, _ body: () throws(Failure) -> ExitCode) throws(Failure) -> ExitCode {
    do throws(Failure) { return try body() } catch {
      if isJSON { try write(error.json) }
      throw error
    }
  }
}

extension Failure {
  /// `{"error", "help", "diagnostics"}`: what is wrong in a sentence, what to do about it or null, and what was found in
  /// documents, as `check` has it.
  fileprivate var json: String {
    var writer = JSONWriter(.pretty)
    writer.beginObject()
    writer.member("error", message)
    writer.member("help", help)
    writer.name("diagnostics")
    DiagnosticRenderer.write(diagnostics, to: &writer)
    writer.endObject()
    return writer.text + "\n"
  }
}
