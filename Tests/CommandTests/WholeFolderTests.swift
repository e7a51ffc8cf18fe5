import Testing

/// A workshop with a route that its one flow asks nothing of, and the goldens.
private func notingWorkshop() throws -> Workshop {
  let workshop = try Workshop()
  try workshop.replace(
    "\"routes\": [",
    with: """
      "states": {"noting": {"next": [{"name": "noted", "reply": {"status": 201}}]}},
      "routes": [{"on": "POST /notes", "next": [{"name": "full", "when": "request.json == {}", "reply": {"status": 507}},
      {"goto": "noting"}]},
      """, in: "services/greeter.json")
  _ = try workshop.flowrun("test", ".", "--accept")
  return workshop
}

/// What is told of the routes that nobody asks for.
private let unasked = """
            states:
              greeter noting
            transitions:
              greeter POST /notes: goes to noting
            replies:
              greeter POST /notes: full
              greeter noting: noted

  """

private func bye(asking path: String, _ workshop: Workshop) throws -> String {
  try workshop.read("hello.json").replacing("\"hello\"", with: "\"bye\"").replacing(
    "\"get\": \"/greeting\"", with: path)
}

/// Several flows may share one model: what the others ask for is no gap of this one.
@Test func routesThatAFlowAsksNothingOfAreForOthers() throws {
  let workshop = try notingWorkshop()
  #expect(
    try workshop.flowrun("test", "hello.json").output == "ok        hello/offline-first.json\n1 passed, 0 failed\n")
  try workshop.write(bye(asking: "\"post\": \"/notes\"", workshop), to: "bye.json")
  let told = try workshop.flowrun("test", ".", "--accept").output
  #expect(!told.contains("hello.json: no golden"), "\(told)")
  // What a page, a redirect or a request leads to is the flow's own.
  try workshop.replace("\"get\": \"/greeting\"", with: "\"post\": \"/${'notes'}\"", in: "hello.json")
  let asked = try workshop.flowrun("test", "hello.json", "--json").output
  #expect(asked.contains("greeter POST /notes: full"), "\(asked)")
}

/// Where all flows of a model are known, a route that none of them asks for is dead.
@Test func routesThatNoFlowAsksForAreToldOnce() throws {
  let workshop = try notingWorkshop()
  let told = "untested  hello.json: no golden reaches\n\(unasked)"
  #expect(try workshop.flowrun("test", ".").output == "ok        hello/offline-first.json\n\(told)1 passed, 0 failed\n")
  // The first of several flows has them.
  try workshop.write(bye(asking: "\"get\": \"/greeting\"", workshop), to: "later.json")
  try workshop.replace("\"bye\"", with: "\"later\"", in: "later.json")
  let all = try workshop.flowrun("test", ".", "--accept").output
  #expect(all.contains(told) && all.ranges(of: "POST /notes: full").count == 1, "\(all)")
  // One that has errors may ask for them.
  try workshop.write("{\"flow\": \"broken\"}", to: "broken.json")
  #expect(try !workshop.flowrun("test", ".").output.contains("/notes"))
}

@Test func aServiceThatNoFlowNamesIsTold() throws {
  let workshop = try Workshop()
  let spare = try workshop.read("services/greeter.json").replacing("\"greeter\"", with: "\"spare\"")
  try workshop.write(spare, to: "services/spare.json")
  let words = "remark[unused-service]: no flow that was checked has \"spare\" as a model\n"
  try workshop.checkShell(
    "\"$FLOWRUN\" check .", code: 0,
    says: [
      words, "or remove it if no flow elsewhere does\n", "services/spare.json:1:1",
      "no problems, 1 remark in 1 flow, 2 services",
    ],
    never: ["\"greeter\" as a model"])
  // Flows that are not looked at, or cannot be read, may name it.
  for operands in ["services", "hello.json services/spare.json", "hello.json services", "hello services"] {
    try workshop.checkShell("\"$FLOWRUN\" check \(operands)", code: 0, says: ["no problems in"])
  }
  try workshop.checkShell(
    "echo '{\"flow\": \"broken\"}' > broken.json; \"$FLOWRUN\" check .", code: 65, says: ["error"],
    never: ["unused-service"])
}

@Test func aRefOfAServiceThatNamesNoneOfItsFlowsIsTold() throws {
  let workshop = try Workshop()
  try workshop.replace(
    "\"routes\": [",
    with: """
      "routes": [{"on": "GET /a", "ref": ["helo#1", "bye#2"], "next": [{"reply": {"status": 200}}]},
      {"on": "GET /b", "ref": "elsewhere#3", "next": [{"reply": {"status": 200, "json": {"ref": "x#1"}}}]},
      """, in: "services/greeter.json")
  try workshop.write(bye(asking: "\"get\": \"/greeting\"", workshop), to: "bye.json")
  try workshop.replace(
    "\"start\":", with: "\"source\": {\"title\": \"d\", \"refs\": {\"2\": \"It asks\"}}, \"start\":", in: "bye.json")
  let start = "warning[unknown-ref]: \"ref\" names a step of"
  try workshop.checkShell(
    "\"$FLOWRUN\" check .", code: 0,
    says: [
      "\(start) \"helo\", and no flow that was checked has this model and is called so\n",
      "= help: did you mean \"hello#1\"?",
      "\(start) \"elsewhere\"", "= help: the model is that of bye, hello, as far as was checked",
      "2 warnings in 2 flows",
    ], never: ["\"x\"", "\"bye\""])
  for operands in ["hello.json", "services", "hello.json services/greeter.json"] {
    try workshop.checkShell("\"$FLOWRUN\" check \(operands)", code: 0, says: ["no problems in"])
  }
}
