import CurlLibrary
import FlowInterpreter

extension AdapterResponse {
  /// The answer that came, if it is one by HTTP.
  init(_ outcome: curl_line_outcome, from destination: Destination) throws(AdapterFailure) {
    guard let head = AnswerHead(of: outcome) else {
      throw AdapterFailure(.lost, reason: "what \(destination.authority) answered is not HTTP")
    }
    guard head.hasOneLength else {
      throw AdapterFailure(.lost, reason: "what \(destination.authority) answered has no one length")
    }
    guard head.leadsToOnePlace else {
      throw AdapterFailure(.lost, reason: "what \(destination.authority) answered leads to two places")
    }
    let body = UnsafeBufferPointer(start: outcome.body, count: outcome.body_count)
    self.init(status: head.status, headers: head.headers, body: Array(body))
  }
}
