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
}
