import FlowSpec
import Testing

@Suite struct StrangeStatusTests {
  /// What the route would answer then is not known.
  @Test func aStatusInQuotationMarksIsToldOnce() throws {
    var documents = try Documents.sample()
    documents.texts["sample.json"] = documents.texts["sample.json"]?.replacing(
      "response.status == 200", with: "response.status == 201")
    documents.texts["services/api.json"] = documents.texts["services/api.json"]?
      .replacing(#"{"reply": {"json": {"token""#, with: #"{"reply": {"status": "201", "json": {"token""#)
    #expect(documents.flow().diagnostics.map(\.summary) == ["wrong-type services/api.json:11:30"])
  }
}
