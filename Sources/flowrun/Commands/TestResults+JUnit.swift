extension TestResults {
  /// The XML that CI servers read: a suite for each flow, a case for each test.
  var junit: String {
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    text += "<testsuites name=\"flowrun\" tests=\"\(passed + failed)\" failures=\"\(failed)\" errors=\"0\">\n"
    for flow in flows where !flow.tests.isEmpty { text += suite(flow) }
    return text + "</testsuites>\n"
  }

  private func suite(_ flow: Flow) -> String {
    let counts = "tests=\"\(flow.tests.count)\" failures=\"\(flow.failed.count)\" errors=\"0\""
    var text = "  <testsuite name=\"\(escaped(flow.path))\" \(counts)>\n"
    for test in flow.tests { text += testCase(test, of: flow) }
    return text + "  </testsuite>\n"
  }

  private func testCase(_ test: Test, of flow: Flow) -> String {
    let head = "    <testcase classname=\"\(escaped(flow.path))\" name=\"\(escaped(test.path))\""
    guard !test.word.isGood else { return head + "/>\n" }
    return """
      \(head)>
            <failure type="\(test.word.rawValue)" message="\(escaped(test.message))">\(escaped(test.details))</failure>
          </testcase>

      """
  }

  /// As it may stand in XML 1.0, which has no way to write most control characters.
  private func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n", "\t", "\u{20}"..."\u{D7FF}", "\u{E000}"..."\u{FFFD}", "\u{10000}"..."\u{10FFFF}":
        result.unicodeScalars.append(scalar)
      default: result += "\u{FFFD}"
      }
    }
    return result
  }
}
