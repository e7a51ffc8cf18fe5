import JSONSyntax

extension Loading {
  /// Loads what a person does in the words of a scenario's script: a JSON array of its steps.
  package static func script(
    at path: String, for flow: Flow, reader: inout some DocumentReader
  ) -> Checked<[Scenario.Step]> {
    var findings = Findings()
    guard let bytes = reader.read(path) else {
      findings.add(Diagnostic(code: "missing-document", message: "there is no document \(path)"))
      return Checked(nil, findings)
    }
    let document = Document(path: path, bytes: bytes, beside: [flow.document.bytes] + flow.document.beside)
    do throws(JSONSyntaxError) {
      let root = try JSONParser.parse(bytes, as: .document)
      var grammarian = DeclarationReader(document: document, findings: findings)
      grammarian.reportDuplicates(in: root)
      let script = grammarian.read(root, as: .list(.object(.step)), named: "the script")
      guard let script else { return Checked(nil, grammarian.findings) }
      var builder = ScenarioBuilder(script, flow, grammarian.findings)
      let steps = script.items.compactMap { builder.step($0) }
      return Checked(steps, builder.compilation.findings)
    } catch {
      findings.add(error.diagnostic(in: document))
      return Checked(nil, findings)
    }
  }
}
