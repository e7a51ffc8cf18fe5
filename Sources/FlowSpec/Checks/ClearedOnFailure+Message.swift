extension Diagnostic {
  /// What is told of a secret that is cleared though nobody has refused it.
  static func lost(
    _ name: String, where title: String, _ transition: Transition, behind ending: Transition? = nil,
    thatSaysRefused saysRefused: Bool = false
  ) -> Diagnostic {
    let isBehind = ending == nil ? "" : " behind the end of the sub-flow"
    let (clears, isTaken) = ((transition.siteOfChoice, "is taken then, and clears it"), "is taken where \(title)")
    let message = "where \(title) this clears the secret \"\(name)\"\(isBehind), though nobody has refused it"
    func told(_ site: Site, _ label: String, _ help: String, _ related: (Site, String)? = nil) -> Diagnostic {
      Diagnostic(
        "cleared-on-failure", severity: .warning, message, at: site, label,
        help: help + ", and let the rest be tried again later", related: related)
    }
    guard let ending else {
      return told(clears.0, isTaken, "clear it where the service has refused alone, as response.status == 401 says")
    }
    if saysRefused {
      return told(ending.siteOfChoice, isTaken, "come to that end where the service has refused alone", clears)
    }
    return told(
      clears.0, "is taken behind that end",
      "clear it behind an end alone that says that the service has refused, as result.ended does",
      (ending.siteOfChoice, isTaken))
  }
}
