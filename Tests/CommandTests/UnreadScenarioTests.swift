import Testing

/// An error keeps the scenarios from being looked at, or a scenario has one itself: nobody knows what they give.
@Test func whatScenariosMayGiveIsNotToldWhereTheyAreNotLookedAt() throws {
  let unset = "nothing sets \"word\""
  func told(_ operand: String = ".", besides change: (Workshop) throws -> Void) throws -> Bool {
    let workshop = try Workshop()
    try workshop.replace(
      "\"routes\"", with: "\"store\": {\"word\": {\"type\": \"string\"}}, \"routes\"", in: "services/greeter.json")
    try workshop.replace("Hello ${", with: "Hello ${string(present(store.word))} ${", in: "services/greeter.json")
    try change(workshop)
    return try workshop.flowrun.shell("\"$FLOWRUN\" check \(operand)").output.contains(unset)
  }
  func breaks(_ workshop: Workshop) throws {
    try workshop.replace("\"states\": {", with: "\"states\": {\"lost\": {\"goal\": true}, ", in: "hello.json")
  }
  #expect(try told { _ in })
  #expect(try !told(besides: breaks))
  #expect(
    try told { workshop in
      try breaks(workshop)
      _ = try workshop.flowrun.shell("rm -r hello")
    })
  #expect(try !told { try $0.write("{\"scenario\": \"broken\", \"given\": 3}", to: "hello/broken.json") })
  #expect(try !told("hello/offline-first.json") { _ in })
}
