import Testing

@testable import Expressions

@Suite struct ReservedWordTests {
  private func isRead(_ source: String, _ lets: [String: Let] = [:]) -> Bool {
    var scope = World.scope
    scope.lets = lets
    do throws(ExpressionProblems) {
      _ = try Expression.compile(source, in: scope)
      return true
    } catch { return error.all.first?.code != "expression-syntax" }
  }

  /// Behind a dot it may be that of a field.
  @Test(arguments: ReservedWords.reserved.all) func nothingHasAReservedWordAsItsName(word: String) {
    #expect(!isRead(word, [word: "1"]) && !isRead(".\(word)", [word: "1"]) && word.isReservedWord)
    #expect(isRead("response.json.\(word)") && isRead("response.json.?\(word)") && !word.isKeyword)
  }

  @Test(arguments: ReservedWords.keywords.all) func notEvenAFieldHasAKeywordAsItsName(word: String) {
    #expect(!isRead("response.json.\(word)") && !isRead("response.json.?\(word)") && !isRead(".\(word)"))
    #expect(word.isKeyword && !word.isReservedWord)
  }

  @Test(arguments: ["loops", "Loop", "is", "int", "_in"]) func whatIsLikeOneIsAName(word: String) {
    #expect(isRead(word, [word: "1"]) && !word.isKeyword && !word.isReservedWord)
  }
}
