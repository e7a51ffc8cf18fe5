import FlowEngine
import FlowSpec

/// A document whose mutants are looked at, beside those that stay as they are.
struct Subject {
  let path: String
  let bytes: [UInt8]
  let kind: DocumentKind
  /// The flow that a service or a scenario is looked at with; nil for a service that no flow names.
  let flow: String?
  /// What flow and scenario are when nothing is changed: a mutant of one does not change the other.
  let whole: Flow?
  let scenario: Scenario?
  let documents: [String: [UInt8]]

  struct Verdict {
    var isRefused = false
    /// What should not be.
    var complaint: String?
  }

  func verdict(on mutant: [UInt8]) -> Verdict {
    var changed = Changed(documents: documents, path: path, bytes: mutant)
    var verdict = Verdict()
    switch kind {
    case .service:
      judge(Loading.service(at: path, reader: &changed), in: changed, &verdict)
      // Refused by itself, it is refused with its flow.
      guard !verdict.isRefused, let flow else { break }
      let loaded = Loading.flow(at: flow, reader: &changed)
      judge(loaded, in: changed, &verdict)
      if let flow = loaded.value { run(flow, scenario, in: changed, &verdict) }
    case .flow:
      let loaded = Loading.flow(at: path, reader: &changed)
      judge(loaded, in: changed, &verdict)
      if let flow = loaded.value { run(flow, scenario, in: changed, &verdict) }
    case .scenario:
      guard let whole else { break }
      let loaded = Loading.scenario(at: path, for: whole, reader: &changed)
      judge(loaded, in: changed, &verdict)
      if let scenario = loaded.value { run(whole, scenario, in: changed, &verdict) }
    }
    return verdict
  }

  /// What is refused is refused with a word, at a place inside a document; what is said can be shown.
  private func judge<Value>(_ checked: Checked<Value>, in shelf: Changed, _ verdict: inout Verdict) {
    let errors = checked.diagnostics.filter { $0.severity == .error }
    if checked.value == nil {
      verdict.isRefused = true
      if errors.isEmpty { verdict.complaint = "refused without an error" }
      if errors.contains(where: \.labels.isEmpty) { verdict.complaint = "an error without a place" }
    } else if !errors.isEmpty {
      verdict.complaint = "taken in spite of an error"
    }
    show(checked.diagnostics, in: shelf, &verdict)
  }

  private func show(_ diagnostics: [Diagnostic], in shelf: Changed, _ verdict: inout Verdict) {
    for label in diagnostics.flatMap(\.labels) {
      let (document, range) = (label.site.document, label.site.range)
      if document.bytes.count != shelf.read(document.path)?.count || range.upperBound > document.bytes.count {
        verdict.complaint = "a place outside the document"
      }
    }
    if DiagnosticRenderer().text(of: diagnostics).isEmpty != diagnostics.isEmpty {
      verdict.complaint = "nothing to be shown"
    }
  }

  /// To its end, whatever that is, and told.
  private func run(_ flow: Flow, _ scenario: Scenario?, in shelf: Changed, _ verdict: inout Verdict) {
    let outcome = Running.run(flow, scenario: scenario) { name in
      var shelf = shelf
      return Loading.scenario(
        at: Library.folder(ofFlow: flow.document.path) + name + ".json", for: flow, reader: &shelf
      )
      .value
    }
    show(outcome.problems, in: shelf, &verdict)
    let trace = TraceWriter.trace(of: outcome, scenario: scenario)
    if (try? Trace(reading: trace)) == nil { verdict.complaint = "a trace that cannot be read" }
  }
}

/// Documents of which one is another than it was.
struct Changed: DocumentReader {
  let documents: [String: [UInt8]]
  let path: String
  let bytes: [UInt8]

  func read(_ path: String) -> [UInt8]? { path == self.path ? bytes : documents[path] }
}
