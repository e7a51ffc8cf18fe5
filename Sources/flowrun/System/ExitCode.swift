import FlowSpec

/// What the command tells the one who started it (after sysexits.h, BSD).
enum ExitCode: Int32, CaseIterable {
  case done = 0
  case failed = 1
  case usage = 64
  case invalidDocument = 65
  case noFile = 66
  case unreachable = 69
  case ownFault = 70
  case interrupted = 130

  var meaning: String {
    switch self {
    case .done: "done"
    case .failed: "a trace differs from its golden, a run ended badly, or an exploration found something"
    case .usage: "the command line is wrong"
    case .invalidDocument: "a document has errors"
    case .noFile: "a file is missing, or cannot be read or written"
    case .unreachable: "a live peer cannot be reached, or what a live run needs is missing or taken"
    case .ownFault: "a fault of flowrun itself"
    case .interrupted: "interrupted, as by Ctrl-C"
    }
  }
}

/// Why a command cannot do what it is asked for.
struct Failure: Error {
  var code: ExitCode
  /// A sentence without a full stop.
  var message: String
  /// What to do about it, `nil` when the message says it.
  var help: String?
  /// What was found in documents; shown before the message.
  var diagnostics: [Diagnostic]

  init(_ code: ExitCode, _ message: String, help: String? = nil, diagnostics: [Diagnostic] = []) {
    (self.code, self.message, self.help, self.diagnostics) = (code, message, help, diagnostics)
  }
}
