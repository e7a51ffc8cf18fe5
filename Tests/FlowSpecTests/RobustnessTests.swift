import FlowSpec
import JSONSyntax
import Testing

@Test func aTruncatedFlowIsAnErrorAndNoCrash() throws {
  var documents = try Documents.sample()
  let whole = try #require(documents.texts["sample.json"])
  for length in stride(from: 0, to: whole.utf8.count - 2, by: 97) {
    documents.texts["sample.json"] = String(decoding: whole.utf8.prefix(length), as: UTF8.self)
    let checked = documents.flow()
    #expect(checked.value == nil && checked.diagnostics.count == 1, "cut off at \(length)")
  }
}

/// Takes away, one at a time, everything that the documents consist of, and puts in what does not belong there.
@Test(arguments: ["sample.json", "services/auth.json", "services/api.json", "scenario.json"])
func whateverIsMissingOrWrongIsReportedWithoutACrash(_ path: String) throws {
  // A few places for each replacement: together they are as many as it takes to notice a crash soon.
  for (turn, replacement) in ["", "null", "{}", "[]", "\"${\"", "7"].enumerated() {
    try checkReplacing(in: path, by: replacement, every: 31, from: turn)
  }
}

private func checkReplacing(in path: String, by replacement: String, every step: Int, from start: Int) throws {
  var documents = try Documents.sample()
  let text = try #require(documents.texts[path])
  let root = try JSONParser.parse(Array(text.utf8), as: .document)
  let places = ranges(in: root, removing: replacement.isEmpty)
  for range in stride(from: start, to: places.count, by: step).map({ places[$0] }) {
    var bytes = Array(text.utf8)
    bytes.replaceSubrange(range, with: replacement.utf8)
    // Removing a member leaves a comma behind.
    if replacement.isEmpty { removeComma(around: range.lowerBound, in: &bytes) }
    documents.texts[path] = String(decoding: bytes, as: UTF8.self)
    let flow = documents.flow()
    #expect((flow.value == nil) == flow.diagnostics.contains { $0.severity == .error })
    for diagnostic in flow.diagnostics { _ = diagnostic.summary }
    if let flow = flow.value, path == "scenario.json" {
      let scenario = Loading.scenario(at: path, for: flow, reader: &documents)
      #expect((scenario.value == nil) == scenario.diagnostics.contains { $0.severity == .error })
    }
  }
}

/// Members with their names, or only values.
private func ranges(in node: JSONNode, removing: Bool) -> [Range<Int>] {
  switch node.kind {
  case .object(let members):
    members.flatMap { member in
      [removing ? member.nameRange.lowerBound..<member.value.range.upperBound : member.value.range]
        + ranges(in: member.value, removing: removing)
    }
  case .array(let elements): elements.flatMap { [$0.range] + ranges(in: $0, removing: removing) }
  default: []
  }
}

private func removeComma(around position: Int, in bytes: inout [UInt8]) {
  let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x0A }
  if let next = bytes[position...].firstIndex(where: { !isSpace($0) }), bytes[next] == UInt8(ascii: ",") {
    bytes.remove(at: next)
  } else if let before = bytes[..<position].lastIndex(where: { !isSpace($0) }), bytes[before] == UInt8(ascii: ",") {
    bytes.remove(at: before)
  }
}
