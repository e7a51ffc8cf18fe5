/// Why a file cannot keep the app's store.
extension Failure {
  static func openToOthers(_ path: String, because secret: String = "a store holds secrets") -> Failure {
    Failure(
      .noFile, "\(path) is open to other users of this machine, and \(secret)",
      help: "chmod 600 \(path)")
  }

  static func storeIsNoFile(_ path: String) -> Failure {
    Failure(.noFile, "\(path) is no file that can keep a store")
  }

  static func linkLeadsNowhere(_ path: String) -> Failure {
    Failure(.noFile, "\(path) is a link that leads nowhere")
  }

  static func storeNotLocked(_ path: String, _ error: Int32) -> Failure {
    Failure(.noFile, "\(path) cannot be locked with \(path).lock: \(reason(error))")
  }
}
