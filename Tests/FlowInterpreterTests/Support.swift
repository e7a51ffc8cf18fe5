import FlowInterpreter
import Foundation
import Synchronization
import Testing

/// The files of the project.
enum Project {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static func bytes(_ path: String) -> [UInt8]? {
    (try? Data(contentsOf: root.appendingPathComponent(path))).map(Array.init)
  }

  static func text(_ path: String) throws -> String {
    String(decoding: try #require(bytes(path), "\(path)"), as: UTF8.self)
  }
}

/// An adapter that hands each request to the test, which answers when and how it likes.
final class ScriptedAdapter: Adapter {
  /// A request that was sent, until it is answered.
  struct Sent: Sendable {
    let request: AdapterRequest
    fileprivate let answers: AsyncStream<Result<AdapterResponse, AdapterFailure>>.Continuation

    func answer(_ status: Int, _ body: String = "", headers: [AdapterHeader] = []) {
      answer(status, Array(body.utf8), headers: headers)
    }

    func answer(_ status: Int, _ body: [UInt8], headers: [AdapterHeader] = []) {
      answers.yield(.success(AdapterResponse(status: status, headers: headers, body: body)))
    }

    func fail(_ kind: AdapterFailure.Kind, _ reason: String) {
      answers.yield(.failure(AdapterFailure(kind, reason: reason)))
    }
  }

  /// In the order in which they were sent; the test takes them one by one.
  let sent: AsyncStream<Sent>
  private let sending: AsyncStream<Sent>.Continuation
  /// The addresses of those that were cancelled before they were answered.
  let givenUp: AsyncStream<String>
  private let givingUp: AsyncStream<String>.Continuation

  init() {
    (sent, sending) = AsyncStream.makeStream()
    (givenUp, givingUp) = AsyncStream.makeStream()
  }

  /// Nothing more will be sent: `sent` ends.
  func finish() { sending.finish() }

  /// The next request, when it is sent.
  func next() async throws -> Sent {
    for await request in sent { return request }
    throw CancellationError()
  }

  /// The address of the next request that is given up.
  func nextGivenUp() async throws -> String {
    for await url in givenUp { return url }
    throw CancellationError()
  }

  func answer(to request: AdapterRequest) async throws(AdapterFailure) -> AdapterResponse {
    let (answers, continuation) = AsyncStream.makeStream(of: Result<AdapterResponse, AdapterFailure>.self)
    sending.yield(Sent(request: request, answers: continuation))
    for await answer in answers { return try answer.get() }
    givingUp.yield(request.url)
    throw AdapterFailure(.lost, reason: "cancelled")
  }
}
