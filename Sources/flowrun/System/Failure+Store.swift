import FlowEngine
import FlowSpec

/// Why a file cannot keep the app's store.
extension Failure {
  static func openToOthers(_ path: String, because secret: String = "a store holds secrets") -> Failure {
    Failure(
      .noFile, "\(path) is open to other users of this machine, and \(secret)",
      help: "chmod 600 \(path)")
  }

  static func storeOfAnother(_ path: String) -> Failure {
    Failure(.noFile, "\(path) belongs to another user", help: "give the run a file of its own")
  }

  static func storeIsNoFile(_ path: String) -> Failure {
    Failure(.noFile, "\(path) is no file that can keep a store")
  }

  static func linkLeadsNowhere(_ path: String) -> Failure {
    Failure(.noFile, "\(path) is a link that leads nowhere")
  }

  static func storeInUse(_ path: String) -> Failure {
    Failure(
      .noFile, "\(path) is in use: another run keeps its store there",
      help: "wait until that one is over, or give this one a file of its own")
  }

  static func storeNotLocked(_ path: String, _ error: Int32) -> Failure {
    Failure(.noFile, "\(path) cannot be locked with \(path).lock: \(reason(error))")
  }

  static func storeTooLarge(_ path: String) -> Failure {
    Failure(.noFile, "\(path) cannot be written: the store is larger than 16 MiB")
  }

  /// The reason may quote what stands in the file.
  static func unusableStore(_ path: String, _ why: String) -> Failure {
    Failure(
      .noFile, "\(path): \(printable(why))", help: "remove it to begin with an empty store, or name another file")
  }

  static func storeIsGiven(_ path: String, by scenario: String) -> Failure {
    Failure(
      .usage, "scenario \"\(scenario)\" says itself what is stored, and \(path) is there already",
      help: "without --scenario the run begins with what \(path) holds")
  }
}
