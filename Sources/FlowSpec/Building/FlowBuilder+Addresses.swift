import Expressions

/// Where services answer, as far as it is written out.
extension FlowBuilder {
  func url(_ declaration: Declaration?, with builder: inout MachineBuilder, in standing: Standing) -> PlacedTemplate? {
    guard let placed = builder.compilation.template(declaration, in: standing) else { return nil }
    refuseStrange(placed, with: &builder)
    return placed
  }

  /// An address without `https://` or `http://` leads nowhere, and none of the checks on secrets would know it.
  private func refuseStrange(_ placed: PlacedTemplate, with builder: inout MachineBuilder) {
    guard case .literal(let start)? = placed.template.parts.first else { return }
    let rest = ["https://", "http://"].first { start.hasPrefix($0) }.map { start.dropFirst($0.count) }
    let problem: (label: String, help: String)?
    if let rest {
      let isEmpty = placed.template.isLiteral && rest.isEmpty
      let strange = placed.template.parts.contains { part in
        if case .literal(let text) = part { text.contains { "@?#".contains($0) || $0.isWhitespace } } else { false }
      }
      problem =
        isEmpty || rest.hasPrefix("/") || strange
        ? ("no host and path", "write it like \"https://example.org/v1\": no user, query or blanks") : nil
    } else {
      problem = ("no https:// or http://", "write it like \"https://example.org/v1\"")
    }
    guard let problem else { return }
    builder.compilation.findings.error(
      "wrong-url", "\"\(placed.template.source)\" is no address of a service", at: placed.site, problem.label,
      help: problem.help)
  }
}
