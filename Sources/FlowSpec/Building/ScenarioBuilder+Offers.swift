import Expressions

/// What models can offer the person: their forms, links and mails.
extension ScenarioBuilder {
  /// A step that names what no model offers can never be taken.
  mutating func checkOffer(_ step: Declaration) {
    let models = flow.services.compactMap(\.model)
    if let submit = step["submit"] {
      let forms = models.flatMap(\.pages).flatMap(\.forms)
      check(submit, "form", among: forms.map(\.name))
      checkFields(of: step["with"], submit.string ?? "", forms.filter { $0.name == submit.string })
    }
    if let follow = step["follow"] {
      check(follow, "link", among: models.flatMap(\.pages).flatMap(\.links).map(\.name) + ["again"])
    }
    if let name = step["open mail"] {
      let mails = models.flatMap(\.mails)
      check(name, "mail", among: mails.map(\.name))
      let meant = mails.filter { $0.name == name.string }
      if let mail = meant.first?.name {
        check(step["link"], "link", among: meant.flatMap(\.links).map(\.name), of: "the mail \"\(mail)\"")
      }
    }
  }

  /// Pages may have forms of the same name: a field of any of them will do.
  private mutating func checkFields(of with: Declaration?, _ name: String, _ forms: [Page.Form]) {
    let known = Set(forms.flatMap(\.fields.fields).map(\.name))
    for entry in with.entries where !forms.isEmpty && !known.contains(entry.name) {
      compilation.unknown(
        "field", entry.name, at: entry.nameSite, among: known.sorted(),
        "the form \"\(name)\" has no field \"\(entry.name)\"")
    }
  }

  /// What a person fills in is held against its field where all forms of that name say the same of it.
  mutating func filledIn(_ with: Declaration?, of name: String) -> [FieldValue] {
    let models = flow.services.compactMap(\.model)
    let forms = models.flatMap(\.pages).flatMap(\.forms).filter { $0.name == name }
    return with.entries.compactMap { entry in
      let fields = forms.flatMap(\.fields.fields).filter { $0.name == entry.name }
      let agree = fields.allSatisfy { $0.type == fields[0].type && $0.allowed == fields[0].allowed }
      var destined = Destined(title: entry.name)
      if agree, let field = fields.first, field.type.isScalar { destined = Destined(field) }
      destined.isSecret = fields.contains { $0.secret != nil }
      destined.isTyped = true
      return compilation.value(of: entry, into: destined, standing: standing)
    }
  }

  /// `owner` is what has these names, if it is not any model.
  private mutating func check(
    _ declaration: Declaration?, _ what: String, among names: [String], of owner: String? = nil
  ) {
    guard let declaration, let name = declaration.string, !names.contains(name) else { return }
    if owner == nil, nearestName(to: name, among: names) == nil, missesModel(at: declaration.site) { return }
    compilation.unknown(
      what, name, at: declaration.site, among: Set(names).sorted(),
      owner.map { "\($0) has no \(what) \"\(name)\"" } ?? "no model has a \(what) \"\(name)\"",
      help: owner != nil && names.isEmpty ? "it has none: leave \"\(what)\" out" : nil)
  }
}

extension ServiceModel {
  fileprivate var pages: [Page] {
    transitions.replies.compactMap { if case .page(let page) = $0.body { page } else { nil } }
  }
}
