import FlowSpec

/// A flow that was read and checked, with the models of its services: ready to run.
public struct CheckedFlow: Sendable {
  let flow: Flow

  /// Warnings and remarks, in the order of documents and places; never an error.
  public let diagnostics: [FlowDiagnostic]

  /// The name in its document: `teos-device`.
  public var name: String { flow.name }

  /// What people call it.
  public var title: String { flow.title }

  /// Reads a flow and the service documents that it names, and checks them.
  ///
  /// - Parameters:
  ///   - path: The flow's own document. Paths that it names are taken relative to its folder; `..` is left to `read`.
  ///   - read: Gives the text of a document in UTF-8, `nil` when there is none. Called once for each path.
  /// - Throws: `InvalidFlow` with everything that is wrong.
  public init(at path: String, read: (_ path: String) -> [UInt8]?) throws(InvalidFlow) {
    self = try withoutActuallyEscaping(read) { read throws(InvalidFlow) in
      var reader = Reader(read: read)
      let checked = Loading.flow(at: path, reader: &reader)
      guard let flow = checked.value else { throw InvalidFlow(checked.diagnostics) }
      let shown = DiagnosticRenderer().shown(checked.diagnostics)
      return CheckedFlow(flow: flow, diagnostics: shown.map(FlowDiagnostic.init))
    }
  }

  /// A flow that was loaded already.
  package init(_ flow: Flow) { self.init(flow: flow, diagnostics: []) }

  private init(flow: Flow, diagnostics: [FlowDiagnostic]) {
    (self.flow, self.diagnostics) = (flow, diagnostics)
  }
}

private struct Reader: DocumentReader {
  let read: (String) -> [UInt8]?
  /// What was read, and `nil` for what is not there: it might be slow to find, and another time something else.
  private var known: [String: [UInt8]?] = [:]

  init(read: @escaping (String) -> [UInt8]?) { self.read = read }

  mutating func read(_ path: String) -> [UInt8]? {
    if let bytes = known[path] { return bytes }
    let bytes = self.read(path)
    known[path] = .some(bytes)
    return bytes
  }
}

/// Why a flow cannot be run: what is wrong in its documents.
public struct InvalidFlow: Error, Sendable, CustomStringConvertible {
  /// At least one error; warnings and remarks stand among them.
  public let diagnostics: [FlowDiagnostic]

  /// Every diagnostic as a terminal shows it, with its line and a caret.
  public let description: String

  /// An error as a flow throws it that cannot be run: for previews, and to test what shows it.
  public init(_ diagnostics: [FlowDiagnostic]) {
    self.diagnostics = diagnostics
    description = diagnostics.map(\.description).joined()
  }

  init(_ diagnostics: [Diagnostic]) {
    let shown = DiagnosticRenderer().shown(diagnostics)
    self.diagnostics = shown.map(FlowDiagnostic.init)
    description = shown.map(\.text).joined()
  }
}
