import JSONSyntax

/// Reads any bytes as JSON: what comes of it lies in the text and can be read once more, and a problem has its place there.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  for purpose in [JSONParser.Purpose.document, .body] { read(bytes, as: purpose) }
  return 0
}

private func read(_ bytes: [UInt8], as purpose: JSONParser.Purpose) {
  let source = SourceText(bytes)
  do throws(JSONSyntaxError) {
    let node = try JSONParser.parse(bytes, as: purpose)
    _ = node.duplicateMembers()
    visit(node, in: source, of: bytes.count)
  } catch {
    precondition(error.range.upperBound <= bytes.count, "a problem lies in the text")
    _ = source.position(of: error.range.lowerBound)
  }
}

private func visit(_ node: JSONNode, in source: SourceText, of count: Int) {
  precondition(node.range.upperBound <= count, "a value lies in the text")
  switch node.kind {
  case .array(let elements): for element in elements { visit(element, in: source, of: count) }
  case .object(let members):
    for member in members {
      precondition(member.nameRange.upperBound <= member.value.range.lowerBound, "a name stands before its value")
      visit(member.value, in: source, of: count)
    }
  default: _ = source.position(of: node.range.lowerBound)
  }
}
