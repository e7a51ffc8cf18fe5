import Bare
import FlowHTTP
import FlowInterpreter

// How much longer 1,000 requests through the adapter take than through libcurl alone, to the same server. Both are
// measured in turn, so that what else the machine does meets both; the fastest round of each counts.

let url = "http://127.0.0.1:\(speed_server())/token?x=1"
let requests = 1000
let rounds = 21

// Away from the main thread, as a session asks.
@concurrent func throughAdapter(_ adapter: HTTPAdapter, posts: Bool) async throws -> Double {
  let request = AdapterRequest(
    service: "server", method: posts ? "POST" : "GET", url: url,
    headers: [
      AdapterHeader("authorization", "Bearer 0123456789"), AdapterHeader("content-type", "application/json"),
    ], body: posts ? Array(#"{"code":"0123456789"}"#.utf8) : nil)
  let start = ContinuousClock.now
  for _ in 0..<requests {
    let response = try await adapter.answer(to: request)
    guard response.body.count == 61, response.headers.count == 3 else { fatalError("\(response)") }
  }
  return (ContinuousClock.now - start) / .seconds(1)
}

extension [Double] {
  /// Microseconds a request, of the round at this place when the fastest stands first.
  func microseconds(at index: Int) -> Double { sorted()[index] / Double(requests) * 1_000_000 }
}

func text(_ number: Double) -> String { "\((number * 100).rounded() / 100)" }

let adapter = try HTTPAdapter()
for posts in [false, true] {
  var bare: [Double] = []
  var ours: [Double] = []
  for _ in 0..<rounds {
    bare.append(speed_bare(url, posts, CInt(requests)))
    ours.append(try await throughAdapter(adapter, posts: posts))
  }
  let (fastest, median) = (0, rounds / 2)
  print(
    posts ? "POST:" : "GET: ", "libcurl alone", text(bare.microseconds(at: fastest)), "µs a request, the adapter",
    text(ours.microseconds(at: fastest)), "µs; ratio",
    text(ours.microseconds(at: fastest) / bare.microseconds(at: fastest)), "(of medians",
    text(ours.microseconds(at: median) / bare.microseconds(at: median)) + ")")
}
