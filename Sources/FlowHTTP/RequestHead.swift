/// The head of a request as it comes in, byte by byte, held to RFC 9112 more strictly than servers are.
///
/// Browsers write lines that end in CRLF, one blank between words, no folded headers; nothing else is taken.
struct RequestHead: Sendable {
  enum Progress {
    case more, complete
    case refused(AnswerPage)
  }

  static let mostLineBytes = 8 * 1024
  static let mostHeaderBytes = 16 * 1024
  static let mostHeaderLines = 100

  private(set) var method = ""
  /// Path and query as they were sent.
  private(set) var target = ""
  /// What `Host` says, in lower case, each time that it is there.
  private(set) var hosts: [String] = []
  /// Whether a page is opened: not an image, a frame or a script of a page of somebody else's (Fetch Metadata).
  private(set) var opensPage = true
  private(set) var isEmpty = true

  private var line: [UInt8] = []
  private var headerBytes = 0
  private var headerLines = 0

  mutating func take(_ byte: UInt8) -> Progress {
    isEmpty = false
    if !method.isEmpty { headerBytes += 1 }
    if headerBytes > Self.mostHeaderBytes { return .refused(.headersTooLarge) }
    if byte == UInt8(ascii: "\n") { return lineEnds() }
    let isEnding = byte == UInt8(ascii: "\r")
    let isText = byte >= 0x20 && byte != 0x7f || byte == UInt8(ascii: "\t") || isEnding
    guard isText, line.last != UInt8(ascii: "\r") else { return .refused(.malformed) }
    if method.isEmpty, !isEnding, line.count == Self.mostLineBytes { return .refused(.lineTooLong) }
    line.append(byte)
    return .more
  }

  private mutating func lineEnds() -> Progress {
    guard line.popLast() == UInt8(ascii: "\r") else { return .refused(.malformed) }
    defer { line = [] }
    if method.isEmpty { return requestLine() }
    if line.isEmpty { return .complete }
    headerLines += 1
    if headerLines > Self.mostHeaderLines { return .refused(.headersTooLarge) }
    return header()
  }

  private mutating func requestLine() -> Progress {
    let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard words.count == 3, !words[0].isEmpty, words[0].allSatisfy(\.isTokenCharacter) else {
      return .refused(.malformed)
    }
    let version = String(decoding: words[2], as: UTF8.self)
    guard version.hasPrefix("HTTP/") else { return .refused(.malformed) }
    guard version == "HTTP/1.1" || version == "HTTP/1.0" else { return .refused(.unknownVersion) }
    // Only a proxy is asked with the whole address, and a fragment is never sent.
    guard words[1].first == UInt8(ascii: "/"),
      words[1].allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "#") })
    else { return .refused(.malformed) }
    (method, target) = (String(decoding: words[0], as: UTF8.self), String(decoding: words[1], as: UTF8.self))
    return .more
  }

  private mutating func header() -> Progress {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0, line[..<colon].allSatisfy(\.isTokenCharacter)
    else { return .refused(.malformed) }
    let blanks: Set<UInt8> = [UInt8(ascii: " "), UInt8(ascii: "\t")]
    var value = line[(colon + 1)...].drop(while: blanks.contains)
    while let last = value.last, blanks.contains(last) { value.removeLast() }
    switch String(decoding: line[..<colon], as: UTF8.self).lowercased() {
    case "host": hosts.append(String(decoding: value, as: UTF8.self).lowercased())
    case "sec-fetch-dest": opensPage = value.elementsEqual("document".utf8)
    default: break
    }
    return .more
  }
}

extension UInt8 {
  /// Of a method or the name of a header (RFC 9110 §5.6.2).
  var isTokenCharacter: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(self)
    }
  }
}
