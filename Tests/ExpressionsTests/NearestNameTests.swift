import Testing

@testable import Expressions

/// Who leaves a letter out writes the rest of the name as it is.
@Test func ofTwoNamesAsNearTheOneThatBeginsAlikeIsMeant() {
  #expect(nearestName(to: "device.ofline", among: ["device.online", "device.offline"]) == "device.offline")
  #expect(nearestName(to: "device.ofline", among: ["device.offline", "device.online"]) == "device.offline")
  #expect(nearestName(to: "reclam", among: ["reclaim", "declam"]) == "reclaim")
  // A nearer one is meant all the same.
  #expect(nearestName(to: "signln", among: ["signaling", "signIn"]) == "signIn")
}

@Test(arguments: [
  ("résmué", "résumé"), ("RESUM\u{C9}", "resum\u{E9}"), ("stor", "store"), ("sotre", "store"), ("stoer", "store"),
  ("Store", "store"), ("xstore", "store"), ("memroy.satte", "memory.state"), ("a", nil), ("ab", nil), ("abcdef", nil),
])
func aSlipIsKnownInAnyLetters(name: String, meant: String?) {
  let names = ["résumé", "resum\u{E9}", "store", "b", "memory.state", "memory.status"]
  #expect(nearestName(to: name, among: names) == meant)
}

/// Many are looked at in the same lists, which leave nothing of one to the next.
@Test func ofVeryManyNamesTheNearestIsFound() {
  let names = (0..<4_000).map { "user.does\($0)that" }
  for index in stride(from: 0, to: 4_000, by: 571) {
    #expect(nearestName(to: "user.deos\(index)that", among: names) == "user.does\(index)that")
    #expect(nearestName(to: "user.does\(index)tha", among: names, within: 1) == "user.does\(index)that")
  }
  #expect(nearestName(to: "nobody", among: names) == nil)
}

@Test func ofManyNamesNoneIsLeftOutAlone() {
  let names = (1...10).map { "n\($0)" }
  #expect(Array(names.prefix(9)).listed == "n1, n2, n3, n4, n5, n6, n7, n8, n9")
  #expect(names.listed == "n1, n2, n3, n4, n5, n6, n7, n8 and 2 more")
}
