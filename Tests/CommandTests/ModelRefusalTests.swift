import Testing

/// A flow of the project in a workshop with its services.
private func workshop(_ flow: String, _ services: [String]) throws -> Workshop {
  let workshop = try Workshop()
  for document in services.map({ "services/\($0).json" }) + ["\(flow).json"] {
    try workshop.write(Repository.text("flows/\(document)"), to: document)
  }
  return workshop
}

/// What an app does wrongly, its model refuses as the real service would, and the person does not get in.
private func checkRefused(
  _ workshop: Workshop, _ arguments: [String], saying refusal: String?,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let output = try workshop.flowrun.run(arguments).output
  #expect(output.contains(refusal ?? "the goal"), "\(output)", sourceLocation: sourceLocation)
  #expect(output.contains("the goal") == (refusal == nil), "\(output)", sourceLocation: sourceLocation)
}

@Suite struct ModelRefusalTests {
  @Test func aRedirectToThisMachineMayDifferInItsPortAlone() throws {
    let workshop = try workshop("oidc-native", ["openid-provider"])
    let others = ["80@evil.example/callback", "80/elsewhere/callback", "80/x?y=/callback", "/callback"]
    for place in ["80/callback"] + others {
      try checkRefused(
        workshop, ["oidc-native.json", "--config", "redirectUri=http://127.0.0.1:\(place)"],
        saying: place == "80/callback" ? nil : "unknown app")
    }
    let odd = try workshop.flowrun("oidc-native.json", "--config", "redirectUri=http://127.0.0.1:8O/callback")
    #expect(odd.code == 64 && odd.errors.contains("makes no redirect URI"), "\(odd)")
  }

  @Test func aVerifierWithoutAChallengeIsRefused() throws {
    let workshop = try workshop("stocksnips", ["google", "stocksnips-api"])
    let answers = ["stocksnips.json", "--answer", "user.createsAccountWithGoogle", "--answer", "user.takesTrial"]
    try checkRefused(workshop, answers, saying: nil)
    let challenge = ",\n              \"code_challenge\": \"${s256(memory.verifier)}\""
    try workshop.replace(
      challenge + ",\n              \"code_challenge_method\": \"S256\"", with: "", in: "stocksnips.json")
    try checkRefused(workshop, answers, saying: "400 grant refused")
  }

  @Test func aChallengeThatIsTheVerifierItselfCountsForNothing() throws {
    let workshop = try workshop("clueride", ["auth0", "clueride-api"])
    try checkRefused(workshop, ["clueride.json"], saying: nil)
    try workshop.replace(
      #""code_challenge_method": "S256""#, with: #""code_challenge_method": "plain""#, in: "clueride.json")
    try checkRefused(workshop, ["clueride.json"], saying: "403 refused")
  }

  @Test(arguments: [
    ("oidc-native", ["openid-provider"], []), ("clueride", ["auth0", "clueride-api"], []),
    ("guardian-okta", ["okta", "guardian-gateway"], []), ("teos-device", ["oauth-server", "txserver", "teosapi"], []),
    (
      "stocksnips", ["google", "stocksnips-api"],
      ["--answer", "user.createsAccountWithGoogle", "--answer", "user.takesTrial"]
    ),
  ]) func noVerifierFitsNoChallenge(flow: String, services: [String], answers: [String]) throws {
    let workshop = try workshop(flow, services)
    try workshop.replace("${s256(memory.verifier)}", with: "${s256('')}", in: "\(flow).json")
    for verifier in ["${memory.?verifier}", "${memory.verifier}"]
    where try workshop.read("\(flow).json").contains(verifier) {
      try workshop.replace(verifier, with: "", in: "\(flow).json")
    }
    try checkRefused(workshop, ["\(flow).json"] + answers, saying: "refused")
  }

  @Test func aTokenOfAnotherClientIsNotRevoked() throws {
    let revoking = "\"client_id\": \"${config.clientId}\", \"token\""
    for client in ["${config.clientId}", "another-app"] {
      let workshop = try workshop("oidc-native", ["openid-provider"])
      try workshop.replace(revoking, with: "\"client_id\": \"\(client)\", \"token\"", in: "oidc-native.json")
      let trace = try workshop.flowrun(
        "oidc-native.json", "--json", "--answer", "user.signsIn", "--answer", "user.signsOut"
      ).output
      #expect(trace.contains(#""status":200,"reply":"revoked""#), "\(trace)")
      let isRevoked = trace.contains(#/"path":"grants\[<grant#1>\]","old":\{[^}]*\},"new":null/#)
      #expect(isRevoked == (client != "another-app"), "\(trace)")
    }
  }
}
