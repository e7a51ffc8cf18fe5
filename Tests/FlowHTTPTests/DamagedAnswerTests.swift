import FlowHTTP
import FlowInterpreter
import Testing

private let head = "HTTP/1.1 200 OK\r\n"
private let ok = head + "Content-Type: text/plain\r\nContent-Length: 2\r\n\r\nok"

/// Answers with lines that are none of HTTP.
@Suite(.ownThreads) struct DamagedAnswerTests {
  @Test func chunkedGarbageIsALoss() async throws {
    for chunks in ["no chunk\r\ncanary\r\n", "2\r\nokcanary\r\n0\r\n\r\n"] {
      try await checkFailure(.lost, "what PEER answered is damaged") { caller in
        _ = caller.request()
        caller.send(head + "Transfer-Encoding: chunked\r\n\r\n" + chunks)
      }
    }
  }

  @Test func aTrailerThatIsNoneIsALoss() async throws {
    for trailer in ["canary", "x\0: canary"] {
      try await checkFailure(.lost, "what PEER answered is damaged") { caller in
        _ = caller.request()
        caller.send(head + "Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\(trailer)\r\n\r\n")
      }
    }
  }

  /// Some libcurls take the first line, where it begins with a blank, for more of the last answer's last header, which is
  /// no more: they write over what has taken its place.
  @Test func aFirstHeaderThatBeginsWithABlankBelongsToNoAnswerBefore() async throws {
    for blank in [" ", "\t"] {
      let peer = Peer { caller in
        while caller.request() != nil {
          let isDamaged = caller.peer.requests.count.isMultiple(of: 2)
          caller.send(isDamaged ? head + blank + "X-Odd: canary\r\nContent-Length: 2\r\n\r\nok" : ok)
        }
      }
      let adapter = try HTTPAdapter.forTests()
      for round in 1...30 {
        let answer = try await Question.get.ask(peer.url, by: adapter)
        #expect(answer.headers.map(\.name) == ["Content-Type", "Content-Length"] && answer.body == Array("ok".utf8))
        do throws(AdapterFailure) {
          // Not every libcurl minds.
          #expect(try await Question.get.ask(peer.url, by: adapter).body == Array("ok".utf8), "\(round)")
        } catch {
          #expect(error == AdapterFailure(.lost, reason: "what \(peer.authority) answered is damaged"), "\(round)")
        }
      }
    }
  }
}
