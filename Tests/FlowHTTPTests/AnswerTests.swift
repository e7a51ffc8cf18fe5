import FlowHTTP
import FlowInterpreter
import Foundation
import Testing

private let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

private func checkSent(
  _ question: Question, _ lines: [String], lacks: [String] = [], sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  let (response, peer) = try await answer(to: question) { caller in
    _ = caller.request()
    caller.send(ok)
  }
  #expect(response.status == 200 && response.body == Array("ok".utf8), sourceLocation: sourceLocation)
  let request = try #require(peer.requests.first, sourceLocation: sourceLocation)
  for line in lines {
    #expect((request + "\r\n").contains(line + "\r\n"), "\(request)", sourceLocation: sourceLocation)
  }
  for word in lacks {
    #expect(!request.lowercased().contains(word.lowercased()), "\(request)", sourceLocation: sourceLocation)
  }
}

@Suite(.ownThreads) struct AnswerTests {
  @Test func aRequestGoesOutAsTheFlowSaysIt() async throws {
    try await checkSent(
      Question(),
      [
        "POST /token?code=canary-query HTTP/1.1", "authorization: Bearer canary-header", "x-first: 1",
        "Accept-Encoding: gzip", "User-Agent: flowrun/0.1.0", "Content-Length: 11", "", "canary-body",
      ], lacks: ["content-type", "expect", "cookie"])
    try await checkSent(.get, ["GET /token?code=canary-query HTTP/1.1"], lacks: ["content-"])
  }

  @Test func anyMethodMayHaveABodyOrNone() async throws {
    for method in ["GET", "DELETE", "PUT", "PATCH"] {
      try await checkSent(Question(method: method), ["\(method) /token?code=canary-query HTTP/1.1", "canary-body"])
    }
    for method in ["POST", "PUT", "PATCH"] {
      try await checkSent(Question(method: method, body: nil), ["Content-Length: 0"])
    }
    try await checkSent(
      Question(method: "DELETE", body: nil), ["DELETE /token?code=canary-query HTTP/1.1"], lacks: ["content-"])
  }

  /// RFC 1952, section 2.2: what is written in pieces is compressed in pieces by some servers.
  @Test func gzipOfSeveralMembersIsOneText() async throws {
    func answer(_ body: [UInt8]) -> @Sendable (Caller) -> Void {
      { caller in
        _ = caller.request()
        caller.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(body.count)\r\n\r\n")
        caller.send(body)
      }
    }
    let members = ["told ", "", "in few", " words"].map { Deflate.gzip($0) }
    let (response, _) = try await FlowHTTPTests.answer(serve: answer(Array(members.joined())))
    #expect(String(decoding: response.body, as: UTF8.self) == "told in few words")
    let many = Array(repeating: Deflate.gzip(String(repeating: "x", count: 5_000)), count: 100)
    let (long, _) = try await FlowHTTPTests.answer(serve: answer(Array(many.joined())))
    #expect(long.body == [UInt8](repeating: UInt8(ascii: "x"), count: 500_000))
    for end in [1, 9, 12, members[3].count - 1] {
      let cut = members[0] + members[3][..<end]
      try await checkFailure(.lost, "what PEER answered is cut off", serve: answer(cut))
    }
    let bomb = members[0] + Deflate.zeros(64 << 20)
    try await checkFailure(.lost, "what PEER answered is larger than 8388608 bytes", serve: answer(bomb))
  }
}
