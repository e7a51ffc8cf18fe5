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
        "wrong-url", "this is no redirect URI", at: placed.site, "no scheme or host, or a fragment or a blank",
        help: "write a whole address, such as \"com.example.app:/callback\" or \"https://app.example/callback\"")
    }
    return placed
  }

  /// Whether an address that begins so, or is no more than this, can be one.
  private func mayBeRedirectURI(_ start: String, isWhole: Bool) -> Bool {
    let scheme = start.prefix { $0 != ":" }
    guard isScheme(scheme), !start.contains(where: { $0 == "#" || $0.isWhitespace })
    else { return false }
    let rest = start[scheme.endIndex...].dropFirst()
    if !isWhole || rest.isEmpty { return !isWhole }
    guard ["http", "https"].contains(scheme.lowercased()) else { return true }
    return rest.hasPrefix("//") && isAuthority(rest.dropFirst(2).prefix { !"/?".contains($0) })
  }

  /// An address without `https://` or `http://` leads nowhere, and none of the checks on secrets would know it.
  ///
  /// What a setting holds is known here, as what is written out is.
  private func refuseStrange(_ placed: PlacedTemplate, with builder: inout MachineBuilder) {
    let start = placed.template.known(with: builder.config).start
    // A setting that is broken has been told of.
    guard !start.isEmpty || placed.template.isLiteral else { return }
    let problem: (label: String, help: String)?
    if let scheme = ["https://", "http://"].first(where: start.hasPrefix) {
      let rest = start.dropFirst(scheme.count)
      let isStrange = rest.contains { "@?#".contains($0) || $0.isWhitespace }
      let isOpen = rest.isEmpty && !placed.template.isLiteral
      problem =
        isStrange || !isOpen && !isAuthority(rest.prefix { $0 != "/" })
        ? (
          "no host and path, or no such port",
          "write it like \"https://example.org/v1\": no user, query or blanks; ports go up to 65535"
        ) : start.encodingHelp.map { ("not percent-encoded", $0) }
    } else {
      problem = ("no https:// or http://", "write it like \"https://example.org/v1\"")
    }
    guard let problem else { return }
    builder.compilation.findings.error(
      "wrong-url", "this is no address of a service", at: placed.site, problem.label, help: problem.help)
  }
}

/// Whether it is the scheme of an address (RFC 3986 §3.1).
func isScheme(_ text: Substring) -> Bool {
  text.utf8.first?.isLetter == true
    && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
}

/// Whether a host stands there, and behind it no port or one that there can be (RFC 3986 §3.2).
package func isAuthority(_ text: Substring) -> Bool {
  let bracket = text.lastIndex(of: "]") ?? text.startIndex
  guard let colon = text[bracket...].lastIndex(of: ":") else { return !text.isEmpty }
  let port = text[colon...].dropFirst()
  return colon > text.startIndex && (port.isEmpty || UInt16(port) != nil && !"+-".contains(port.prefix(1)))
}
