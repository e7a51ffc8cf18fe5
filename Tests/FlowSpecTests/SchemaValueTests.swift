import Foundation
import JSONSyntax
import Testing

@testable import FlowSpec

/// Texts, numbers and lists that a schema takes and refuses are those that `check` does; `.ci/validate.py` tries more of
/// them in more places.
@Suite struct SchemaValueTests {
  static let durations = [
    "0", "+0", "0s", "30s", "+1s", ".5s", "1.s", "1.5h", "1h30m", "3d", "1ns", "1us", "1µs", "1μs", "1ms", "1s1ns", "",
    "s", "1", ".s", "-1s", "-0s", "-0", "+-1s", "1S", "1_0s", "1e3s", " 1s", "1s ", "300y", "١s", "1.2.3s", "1h 30m",
  ]

  @Test(arguments: durations) func ofDurations(_ text: String) throws {
    for (member, written) in [
      ("request.timeout", "\"timeout\": \"10s\""), ("retry.wait", "\"wait\": \"1s\""),
      ("timer.wait", "\"wait\": \"${config.grace}\""),
    ] {
      let name = written.prefix { $0 != ":" }
      let isTaken = try flowSchema(of: member).takes(text)
      #expect(try isRead("\(name): \"\(text)\"", for: written) == isTaken, "\(member): \(text)")
    }
  }

  static let routes = [
    "GET /", "GET //x", "GET /x/", "PUT /é", "DELETE /a:b", "POST /files/{name}.json", "PATCH /T({key})/S", "GET /:{a}",
    "",
    "GET", "GET ", "GET x", "GET  /x", "get /x", "HEAD /x", "GET /x ", "GET /x?y=1", "GET /x#f", "GET /a b", "GET /{}",
    "GET /{a", "GET /a}", "GET /{a}{b}", "GET /{1a}", "GET /{a-b}", "GET /:id", " GET /x", "GET /.",
    "GET /a/..", "GET /%2E", "GET /%2e./b", "GET /.well-known/x", "GET /%zz", "GET /a%2", "GET /%41",
  ]

  @Test(arguments: routes) func ofRoutes(_ text: String) throws {
    let route = try #require(Schema(of: .service).definitions["route"])["properties"]["on"]
    let fault = try #require(Schema(of: .scenario).definitions["fault"])["properties"]["request"]
    #expect(try route.takes(text) == (RouteLine.parse(text) != nil))
    #expect(try fault.takes(text) == (RouteLine.parse(text) != nil))
  }

  static let paths = [
    "/", "/a", "/a/b?x", "/.x", "/é", "/a:b", "/%41", "/${request.query.x}", "${request.query.x}", "b?x=1", "x", "",
    "/a b", "/..", "/a/%2e", "/a#b", "/%zz", "/:a", "/{a}", "c d", "https://a.example/b",
  ]

  /// Those of pages and redirects are written as those of requests are.
  @Test(arguments: paths) func ofPaths(_ path: String) throws {
    for (kind, member, written) in [
      ("form", "get", #"{"page": {"title": "x", "forms": {"f": {"get": "\#(path)"}}}}"#),
      ("form", "post", #"{"page": {"title": "x", "forms": {"f": {"post": "\#(path)"}}}}"#),
      ("pageLink", "get", #"{"page": {"title": "x", "links": {"l": {"get": "\#(path)"}}}}"#),
      ("redirect", "get", #"{"redirect": {"get": "\#(path)"}}"#),
    ] {
      let place = try #require(Schema(of: .service).definitions[kind])["properties"][member]
      var documents = Documents(texts: [
        "s.json": #"""
        {"service": "s", "despite": {"unanswered-request": "any path is tried"},
          "routes": [{"on": "GET /x", "next": [{"reply": \#(written)}]}]}
        """#
      ])
      let isRead = Loading.service(at: "s.json", reader: &documents).value != nil
      #expect(try place.takes(path) == isRead, "\(kind).\(member): \(path)")
    }
  }

  @Test(arguments: [-1, -0.0, 0, 0.5, 0.999, 1, 2, 999.5, 1000, 1000.5, 1001, 1e9])
  func ofNumbers(_ number: Double) throws {
    #expect(try isRead("\"factor\": \(number)", for: "\"factor\": 2") == flowSchema(of: "retry.factor").takes(number))
    guard let whole = Int(exactly: number) else { return }
    #expect(try isRead("\"most\": \(whole)", for: "\"most\": 2") == flowSchema(of: "retry.most").takes(number))
  }

  @Test func ofEmptyLists() throws {
    for written in ["\"next\": [{\"goto\": \"home\"}]", "\"waiting\": {"] {
      let empty = written.hasSuffix("{") ? written + "\"next\": [], " : "\"next\": []"
      #expect(try !isRead(empty, for: written))
    }
    for (kind, name) in [(Kind.flow, "state"), (.service, "state"), (.service, "route")] {
      let next = try #require(Schema(of: kind).definitions[name])["properties"]["next"]
      #expect(next["minItems"].number == 1)
    }
  }
}

/// Whether the sample is without errors when this stands there.
private func isRead(_ text: String, for written: String) throws -> Bool {
  var documents = try Documents.sample()
  let sample = try #require(documents.texts["sample.json"])
  try #require(sample.split(separator: written).count == 2, "\(written) stands once")
  documents.texts["sample.json"] = sample.replacing(written, with: text)
  return documents.flow().value != nil
}

private func flowSchema(of member: String) throws -> JSONNode {
  let names = member.split(separator: ".").map(String.init)
  return try #require(Schema(of: .flow).definitions[names[0]])["properties"][names[1]]
}

extension JSONNode {
  fileprivate func takes(_ text: String) throws -> Bool {
    let pattern = try #require(self["pattern"].text)
    let refused = self["not"]["pattern"].text
    return try text.contains(Regex(pattern)) && (refused.map { try !text.contains(Regex($0)) } ?? true)
  }

  fileprivate func takes(_ number: Double) throws -> Bool {
    let (least, most) = (try #require(self["minimum"].number), try #require(self["maximum"].number))
    return (least...most).contains(number)
  }

  fileprivate var number: Double? { if case .int(let number) = kind { Double(number) } else { nil } }
}
