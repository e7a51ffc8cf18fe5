import Expressions

/// What models can offer the person, by name: their forms, links and mails.
struct Offers: Sendable {
  let forms: [String: [Page.Form]]
  let mails: [String: [MailSpec]]
  let formNames: Set<String>
  let linkNames: Set<String>
  let mailNames: Set<String>

  init(of models: [ServiceModel]) {
    let pages = models.flatMap(\.pages)
    forms = Dictionary(grouping: pages.flatMap(\.forms), by: \.name)
    mails = Dictionary(grouping: models.flatMap(\.mails), by: \.name)
    (formNames, mailNames) = (Set(forms.keys), Set(mails.keys))
    linkNames = Set(pages.flatMap(\.links).map(\.name) + ["again"])
  }
}

extension ScenarioBuilder {
  /// A step that names what no model offers can never be taken.
  mutating func checkOffer(_ step: Declaration) {
    if let submit = step["submit"] {
      check(submit, "form", among: offers.formNames)
      checkFields(of: step["with"], submit.string ?? "", submit.string.flatMap { offers.forms[$0] } ?? [])
    }
    if let follow = step["follow"] { check(follow, "link", among: offers.linkNames) }
    if let mail = step["open mail"] {
      check(mail, "mail", among: offers.mailNames)
      if let name = mail.string, let meant = offers.mails[name] {
        check(step["link"], "link", among: Set(meant.flatMap(\.links).map(\.name)), of: "the mail \"\(name)\"")
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
    let forms = offers.forms[name] ?? []
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
    _ declaration: Declaration?, _ what: String, among names: Set<String>, of owner: String? = nil
  ) {
    guard let declaration, let name = declaration.string, !names.contains(name) else { return }
    if owner == nil, nearestName(to: name, among: names.sorted()) == nil, missesModel(at: declaration.site) { return }
    compilation.unknown(
      what, name, at: declaration.site, among: names.sorted(),
      owner.map { "\($0) has no \(what) \"\(name)\"" } ?? "no model has a \(what) \"\(name)\"",
      help: owner != nil && names.isEmpty ? "it has none: leave \"\(what)\" out" : nil)
  }
}

extension ServiceModel {
  fileprivate var pages: [Page] {
    transitions.replies.compactMap { if case .page(let page) = $0.body { page } else { nil } }
  }
}
