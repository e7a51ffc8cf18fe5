import Testing

@Test func aSpanThatGrowsIsToGrowNoFurtherThanMatters() throws {
  let workshop = try Workshop()
  try workshop.replace(
    "\"store\": {", with: "\"store\": {\"pause\": {\"type\": \"duration\", \"initial\": \"1s\"}, ", in: "hello.json")
  try workshop.replace(
    "\"wait\": \"10m\"",
    with: "\"wait\": \"${store.pause}\", \"do\": [{\"set\": {\"pause\": \"${store.pause + store.pause}\"}}]",
    in: "hello.json")
  let result = try workshop.flowrun("explore", "hello.json", "--most", "50")
  let advice =
    "store.pause of app: 4 values; let it grow no further than matters, as with \"when\": \"store.pause < duration('1m')\"\n"
  #expect(result.output.contains(advice), "\(result.output)")
}

@Test func whatHasABoundIsNotToGetOne() throws {
  let workshop = try Workshop()
  for (bound, advice) in [
    (3, "compared with 3 already: where that ends its growth, a smaller number leaves fewer values"),
    (2, "compared with 2 already"),
  ] {
    try workshop.write(
      #"""
      { "flow": "count", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}},
        "store": {"tries": {"type": "int", "initial": 0}, "seen": {"type": "bool", "initial": false}},
        "events": {"user.x": {}, "user.y": {}}, "start": "home", "states": {"home": {"goal": true, "on": {
          "user.x": {"when": "store.tries < \#(bound)", "do": [{"set": {"tries": "${store.tries + 1}"}}]},
          "user.y": {"do": [{"set": {"seen": true}}]}}}} }
      """#, to: "count.json")
    let result = try workshop.flowrun("explore", "count.json", "--most", "6")
    #expect(result.output.contains("    store.tries of app: "), "\(result.output)")
    #expect(result.output.contains("; it is \(advice)\n"), "\(result.output)")
    #expect(!result.output.contains("let it grow"), "\(result.output)")
  }
}

/// The least of all numbers has none before it.
@Test func theLeastNumberIsExploredToo() throws {
  let workshop = try Workshop()
  try workshop.write(
    #"""
    { "flow": "min", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}},
      "store": {"n": {"type": "int"}, "seen": {"type": "bool", "initial": false}},
      "events": {"user.x": {}, "user.y": {}, "user.z": {}}, "start": "home", "states": {"home": {"goal": true, "on": {
        "user.x": {"when": "!present(store.n) || store.n < 5", "do": [{"set": {"n": "${-9223372036854775808}"}}]},
        "user.z": {"do": [{"clear": "n"}]},
        "user.y": {"do": [{"set": {"seen": "${!store.seen}"}}]}}}} }
    """#, to: "min.json")
  let result = try workshop.flowrun("explore", "min.json", "--most", "5")
  #expect(result.code == 0 && result.output.contains("it is compared with 5 already"), "\(result)")
}
