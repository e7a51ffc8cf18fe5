import CurlLibrary
import FlowInterpreter

/// Status and headers of an answer.
struct AnswerHead {
  private(set) var status: Int
  private(set) var headers: [AdapterHeader] = []

  /// Reads the lines that came up to the end of the first head that is not interim: what stands behind it are trailers.
  init?(of outcome: curl_line_outcome) {
    let bytes = UnsafeBufferPointer(start: outcome.head, count: outcome.head_count)
    var head: AnswerHead?
    // Behind the last line break stands no line.
    for line in bytes.dropLast().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      if head == nil {
        head = AnswerHead(statusLine: line)
      } else if !line.allSatisfy(\.isBlank) {
        head?.add(line)
      } else if let final = head, final.status >= 200 {
        self = final
        return
      } else {
        head = nil
      }
    }
    return nil
  }

  private init?(statusLine: Slice<UnsafeBufferPointer<UInt8>>) {
    let words = statusLine.split(maxSplits: 2, omittingEmptySubsequences: false, whereSeparator: \.isBlank)
    guard words.count > 1, words[0].starts(with: "HTTP/".utf8), words[1].count == 3,
      let status = Int(Self.text(words[1])), (100...999).contains(status)
    else { return nil }
    self.status = status
  }

  private mutating func add(_ line: Slice<UnsafeBufferPointer<UInt8>>) {
    if let first = line.first, first.isBlank {
      // A value that goes on in a new line (RFC 9112, section 5.2).
      if let last = headers.indices.last { headers[last].value += " " + Self.text(line) }
    } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
      headers.append(AdapterHeader(Self.text(line[..<colon]), Self.text(line[(colon + 1)...])))
    }
  }

  /// Two lengths would let one answer pass for two, one that is no number would be guessed, and libcurl takes one beyond 64
  /// bits for none (RFC 9112, section 6.3).
  var hasOneLength: Bool {
    let lengths = values(of: "content-length")
    return Set(lengths).count < 2
      && lengths.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } && Int64($0) != nil }
  }

  /// Whether only the end of the connection ends the body (RFC 9112, section 6.3).
  var endsWithConnection: Bool {
    values(of: "content-length").isEmpty && codings(in: "transfer-encoding").isEmpty && status != 204 && status != 304
  }

  /// Nothing but chunks is undone, and nothing else was asked for (RFC 9112, section 7).
  var isTransferredPlainly: Bool { [[], ["chunked"]].contains(codings(in: "transfer-encoding")) }

  /// Of two, whoever could add one would choose where to go (RFC 9110, section 5.3).
  var leadsToOnePlace: Bool { Set(values(of: "location")).count < 2 }

  /// What was done to the body, one after the other (RFC 9110, section 8.4).
  var encodings: [String] { codings(in: "content-encoding") }

  /// Each is as much work as the body is long, and nobody waits for it with a limit.
  var isEncodedInMeasure: Bool { encodings.count <= 2 }

  private func codings(in name: String) -> [String] {
    values(of: name).flatMap { $0.lowercased().split { ", \t".contains($0) } }.map(String.init)
      .filter { $0 != "identity" }
  }

  private func values(of name: String) -> [String] {
    headers.filter { $0.name.utf8.count == name.utf8.count && $0.name.lowercased() == name }.map(\.value)
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

extension AdapterResponse {
  /// The answer that came, if it is one by HTTP.
  init(_ outcome: curl_line_outcome, from destination: Destination) throws(AdapterFailure) {
    func lost(_ why: String) -> AdapterFailure {
      AdapterFailure(.lost, reason: "what \(destination.authority) answered \(why)")
    }
    guard let head = AnswerHead(of: outcome) else { throw lost("is not HTTP") }
    guard head.hasOneLength else { throw lost("has no one length") }
    guard head.leadsToOnePlace else { throw lost("leads to two places") }
    guard head.isTransferredPlainly, head.isEncodedInMeasure else { throw lost("cannot be decoded") }
    guard !outcome.was_cut || !head.endsWithConnection else { throw lost("is cut off") }
    let body = UnsafeBufferPointer(start: outcome.body, count: outcome.body_count)
    self.init(status: head.status, headers: head.headers, body: Array(body))
  }
}
