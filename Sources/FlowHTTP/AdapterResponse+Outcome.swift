import CurlLibrary
import FlowInterpreter

extension AdapterResponse {
  /// The answer that came, if it is one by HTTP.
  init(_ outcome: curl_line_outcome, from destination: Destination) throws(AdapterFailure) {
    guard (200...999).contains(outcome.status) else {
      throw AdapterFailure(.lost, reason: "what \(destination.authority) answered is not HTTP")
    }
    let head = UnsafeBufferPointer(start: outcome.head, count: outcome.head_count)
    let body = UnsafeBufferPointer(start: outcome.body, count: outcome.body_count)
    self.init(status: Int(outcome.status), headers: Self.headers(in: head), body: Array(body))
    // Two lengths would let one answer pass for two (RFC 9112, section 6.3).
    let lengths = headers.filter { $0.name.lowercased() == "content-length" }.map(\.value)
    guard Set(lengths).count < 2 else {
      throw AdapterFailure(.lost, reason: "what \(destination.authority) answered has two lengths")
    }
  }

  private static func headers(in head: UnsafeBufferPointer<UInt8>) -> [AdapterHeader] {
    var headers: [AdapterHeader] = []
    for line in head.split(separator: UInt8(ascii: "\n")) {
      if let first = line.first, first.isBlank {
        // A value that goes on in a new line (RFC 9112, section 5.2).
        guard let last = headers.indices.last else { continue }
        headers[last].value += " " + text(line)
      } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
        headers.append(AdapterHeader(text(line[..<colon]), text(line[(colon + 1)...])))
      }
    }
    return headers
  }

  /// Without the white space around it.
  private static func text(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
    let start = bytes.firstIndex { !$0.isBlank } ?? bytes.endIndex
    let end = bytes.lastIndex { !$0.isBlank }.map { $0 + 1 } ?? bytes.endIndex
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0D }
}
