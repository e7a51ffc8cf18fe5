import CurlLibrary
import FlowInterpreter

/// Status and headers of an answer.
struct AnswerHead {
  private(set) var status: Int
  private(set) var headers: [AdapterHeader] = []
  /// Whether each of its lines is one, to libcurl, that says how long the body is, or is not, as it is to us.
  ///
  /// Of a name with white space behind it, and of a value in a line of its own, libcurl takes no notice (RFC 9112, sections
  /// 5.1 and 5.2).
  private(set) var isFramedPlainly = true

  private static let framing = ["content-length", "transfer-encoding"]

  /// Reads the lines that came up to the end of the first head that is not interim: what stands behind it are trailers.
  init?(of outcome: curl_line_outcome) {
    let bytes = UnsafeBufferPointer(start: outcome.head, count: outcome.head_count)
    var head: AnswerHead?
    // Behind the last line break stands no line.
    for line in bytes.dropLast().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      if head == nil {
        head = AnswerHead(statusLine: line)
      } else if let first = line.first, first != UInt8(ascii: "\r") {
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

  /// Whether a head has begun that never ends, where there is none.
  static func isCutOff(in outcome: curl_line_outcome) -> Bool {
    let bytes = UnsafeBufferPointer(start: outcome.head, count: outcome.head_count)
    return bytes.starts(with: "HTTP/".utf8) && !bytes.suffix(2).elementsEqual("\n\n".utf8)
      && !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8)
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
      guard let last = headers.indices.last, case let rest = Self.text(line), !rest.isEmpty else { return }
      headers[last].value += headers[last].value.isEmpty ? rest : " " + rest
      if Self.framing.contains(headers[last].name.lowercased()) { isFramedPlainly = false }
    } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
      let name = Self.text(line[..<colon])
      headers.append(AdapterHeader(name, Self.text(line[(colon + 1)...])))
      let isPlain = name.utf8.count == line[..<colon].count
      if !isPlain, Self.framing.contains(name.lowercased()) { isFramedPlainly = false }
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
      // The second means the first to libcurl and browsers.
      .filter { !["identity", "none"].contains($0) }
  }

  private func values(of name: String) -> [String] {
    headers.filter { $0.name.utf8.count == name.utf8.count && $0.name.lowercased() == name }.map(\.value)
  }

  /// Without the white space around it; a return in it is a space (RFC 9110, section 5.5).
  private static func text(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
    let start = bytes.firstIndex { !$0.isBlank } ?? bytes.endIndex
    let end = bytes.lastIndex { !$0.isBlank }.map { $0 + 1 } ?? bytes.endIndex
    return String(decoding: bytes[start..<end].map { $0 == UInt8(ascii: "\r") ? 0x20 : $0 }, as: UTF8.self)
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
    guard let head = AnswerHead(of: outcome) else {
      throw AnswerHead.isCutOff(in: outcome)
        ? AdapterFailure(.lost, reason: "the headers that \(destination.authority) answered are cut off")
        : lost("is not HTTP")
    }
    guard head.hasOneLength, head.isFramedPlainly else { throw lost("has no one length") }
    guard head.leadsToOnePlace else { throw lost("leads to two places") }
    guard head.isTransferredPlainly, head.isEncodedInMeasure else { throw lost("cannot be decoded") }
    guard !outcome.was_cut || !head.endsWithConnection else { throw lost("is cut off") }
    let body = UnsafeBufferPointer(start: outcome.body, count: outcome.body_count)
    self.init(status: head.status, headers: head.headers, body: Array(body))
  }
}
