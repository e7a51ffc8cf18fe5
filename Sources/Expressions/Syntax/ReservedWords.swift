/// The words that CEL keeps for itself, as its grammar has them.
enum ReservedWords {
  /// Those that nothing can have as its name, not even a field.
  static let keywords = Names(["true", "false", "null", "in"])

  /// Those that only a field can have as its name, behind a dot.
  static let reserved = Names([
    "as", "if", "for", "let", "var", "else", "loop", "void", "break", "const", "while", "import", "return",
    "package", "continue", "function", "namespace",
  ])
}

extension String {
  /// Whether no expression can select or name what is called so.
  package var isKeyword: Bool { ReservedWords.keywords.all.contains(self) }

  /// Whether no expression can name what is called so, unless it is a field.
  package var isReservedWord: Bool { ReservedWords.reserved.all.contains(self) }
}
