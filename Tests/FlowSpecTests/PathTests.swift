import Testing

@testable import FlowSpec

@Test func slashesInsideExpressionsSeparateNothing() {
  checkSegments("/", [])
  checkSegments("/a/b", ["a", "b"])
  checkSegments("/a/", ["a", ""])
  checkSegments("/a/${x + '/' + y['}']}/b", ["a", "${x + '/' + y['}']}", "b"])
  checkSegments("/${\"/\\\"/\"}/b", ["${\"/\\\"/\"}", "b"])
  checkSegments("/${r'\\' + '/'}/${'''/'}/'''}", ["${r'\\' + '/'}", "${'''/'}/'''}"])
  checkSegments("/$${a/b}", ["$${a", "b}"])
  checkSegments("/${ {'a': 1}.a }/b", ["${ {'a': 1}.a }", "b"])
  checkSegments("/a/${x // isn't a/b }\n}/b", ["a", "${x // isn't a/b }\n}", "b"])
  // What is not understood is all one.
  checkSegments("/${x}/a/${y/b", ["${x}", "a", "${y/b"])
  #expect("/é/${x // isn't ?\n}/b".literalText == "/é//b")
}

@Test func pathsOfSetAreTakenApart() {
  checkPath("token", "token", nil, nil)
  checkPath("users[request.path.id]", "users", "request.path.id", nil)
  checkPath("users[a[0]].status", "users", "a[0]", "status")
  for wrong in ["", "a.", ".a", "a[", "a[]", "a]b", "a[b]c", "a-b", "a[b].c-d"] { #expect(PathText(wrong) == nil) }
}

@Test func routePatternsHaveAtMostOneVariableInASegment() {
  #expect(PathPattern("/a/{id}")?.variables == ["id"])
  #expect(
    PathPattern("/a({id})/{b}.json")?.segments == [
      .variable("id", before: "a(", behind: ")"), .variable("b", before: "", behind: ".json"),
    ])
  #expect(PathPattern("/a({id})")?.shape == PathPattern("/a({other})")?.shape)
  #expect(PathPattern("/a({id})")?.shape != PathPattern("/b({id})")?.shape)
  #expect(PathPattern("/")?.segments == [])
  #expect(
    PathPattern("/a%20%7Bb/%C3%A9{id}")?.segments == [.literal("a {b"), .variable("id", before: "é", behind: "")])
  #expect(PathPattern("/a%2Fb")?.shape == "/a%2Fb" && PathPattern("/%61%2fb")?.shape == "/a%2Fb")
  for wrong in ["/%", "/a%2", "/a%zz", "/%ff", "/a%{id}41", "/a/../b", "/%2e"] { #expect(PathPattern(wrong) == nil) }
  for wrong in ["/a{id}b{c}", "/a}{b}", "/{a}/{a}", "/{}", "/{a-b}", "/a?b", "/{a"] {
    #expect(PathPattern(wrong) == nil)
  }
}

@Test func linksAreOriginAndPath() {
  #expect(
    ParticipantReader.split("https://a.example/b/c").map { [$0.origin, $0.path] } == ["https://a.example", "/b/c"])
  #expect(ParticipantReader.split("https://a.example").map { [$0.origin, $0.path] } == ["https://a.example", "/"])
  #expect(ParticipantReader.split("com.example:/in").map { [$0.origin, $0.path] } == ["com.example:", "/in"])
  #expect(ParticipantReader.split("nothing") == nil)
}

private func checkSegments(_ path: String, _ expected: [String], at location: SourceLocation = #_sourceLocation) {
  let segments = path.segments
  #expect(segments.map(\.text) == expected, sourceLocation: location)
  for segment in segments {
    #expect(path.slice(segment.offset..<(segment.offset + segment.text.utf8.count)) == segment.text)
  }
}

private func checkPath(
  _ text: String, _ key: String, _ row: String?, _ field: String?, at location: SourceLocation = #_sourceLocation
) {
  guard let path = PathText(text) else { return #expect(Bool(false), "\(text) is a path", sourceLocation: location) }
  #expect(text.slice(path.key) == key, sourceLocation: location)
  #expect(path.row.map { text.slice($0) } == row, sourceLocation: location)
  #expect(path.field.map { text.slice($0) } == field, sourceLocation: location)
}
