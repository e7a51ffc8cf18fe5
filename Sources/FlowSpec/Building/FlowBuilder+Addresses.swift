import Expressions

/// Where services answer, as far as it is written out.
extension FlowBuilder {
  func url(_ declaration: Declaration?, with builder: inout MachineBuilder, in standing: Standing) -> PlacedTemplate? {
    guard let placed = builder.compilation.template(declaration, in: standing) else { return nil }
    refuseStrange(placed, with: &builder)
    return placed
  }

  /// An address without `https://` or `http://` leads nowhere, and none of the checks on secrets would know it.
  ///
  /// What a setting holds is known here, as what is written out is.
  private func refuseStrange(_ placed: PlacedTemplate, with builder: inout MachineBuilder) {
    let start = placed.template.knownStart(with: builder.config)
    // A setting that is broken has been told of.
    guard !start.isEmpty || placed.template.isLiteral else { return }
    let problem: (label: String, help: String)?
    if let scheme = ["https://", "http://"].first(where: start.hasPrefix) {
      let rest = start.dropFirst(scheme.count)
      let isStrange = rest.contains { "@?#".contains($0) || $0.isWhitespace }
      problem =
        rest.hasPrefix("/") || rest.isEmpty && placed.template.isLiteral || isStrange
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
