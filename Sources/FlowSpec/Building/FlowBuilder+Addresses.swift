import Expressions

/// Where services answer, as far as it is written out.
extension FlowBuilder {
  func url(_ declaration: Declaration?, with builder: inout MachineBuilder, in standing: Standing) -> PlacedTemplate? {
    guard let placed = builder.compilation.template(declaration, in: standing) else { return nil }
    refuseStrange(placed, with: &builder)
    return placed
  }

  /// What is no absolute URI, or has a fragment, nobody ever opens (RFC 6749 §3.1.2).
  func redirectURI(_ declaration: Declaration, with builder: inout MachineBuilder) -> PlacedTemplate? {
    guard let placed = builder.compilation.address(declaration, in: builder.base.readingOnly(["config"])) else {
      return nil
    }
    let (start, isWhole) = placed.template.known(with: builder.config)
    if !start.isEmpty || placed.template.isLiteral, !mayBeRedirectURI(start, isWhole: isWhole) {
      builder.compilation.findings.error(
        "wrong-url", "this is no redirect URI", at: placed.site,
        "no scheme or host in ASCII, a port that is no number, a fragment or a blank",
        help: "write a whole address, such as \"com.example.app:/callback\" or \"https://app.example/callback\"")
    }
    return placed
  }

  /// An address without `https://` or `http://` leads nowhere, and none of the checks on secrets would know it.
  ///
  /// What a setting holds is known here, as what is written out is.
  private func refuseStrange(_ placed: PlacedTemplate, with builder: inout MachineBuilder) {
    let (start, isWhole) = placed.template.known(with: builder.config)
    // A setting that is broken has been told of.
    guard !start.isEmpty || placed.template.isLiteral else { return }
    let problem: (label: String, help: String)?
    if let scheme = ["https://", "http://"].first(where: start.hasPrefix) {
      let rest = start.dropFirst(scheme.count)
      let authority = rest.prefix { $0 != "/" }
      let isStrange = rest.contains { "@?#".contains($0) || $0.isWhitespace }
      let isOpen = !isWhole && (rest.isEmpty || rest.first == "[" && !authority.contains("]"))
      if !authority.allSatisfy(\.isASCII) {
        problem = ("a host that is not written in ASCII", "write the host in ASCII, as \"xn--…\"")
      } else if isStrange || !isOpen && !isAuthority(authority) {
        problem = (
          "no host and path, or no such port",
          "write it like \"https://example.org/v1\": no user, query or blanks; ports go up to 65535"
        )
      } else {
        problem = start.encodingHelp.map { ("not percent-encoded", $0) }
      }
    } else {
      problem = ("no https:// or http://", "write it like \"https://example.org/v1\"")
    }
    guard let problem else { return }
    builder.compilation.findings.error(
      "wrong-url", "this is no address of a service", at: placed.site, problem.label, help: problem.help)
  }
}
