import Expressions
import JSONSyntax

/// Compiles the expressions of one machine, and notes what they find and use.
struct Compilation: Sendable {
  var findings: Findings
  var ledger = Ledger()
  var references: References
  /// Refs of each let.
  var letRefs: [String: [String]] = [:]
  /// The names of lets that no expression can use; what is wrong with one where it stands all the same is told there.
  private var refusedLets: [[UInt8]] = []
  /// Where the lets are written.
  var definitions: [String: Site] = [:]
  /// Keys whose declarations are wrong: they may be tables.
  var brokenKeys: Set<String> = []
  /// Whether a part of the document that declares names could not be read: unknown names are no findings then.
  let isBlind: Bool
  private let isOfService: Bool
  /// Every expression that was compiled.
  private(set) var noted: [PlacedExpression] = []
  /// Those whose warnings wait until it is known what is there on each way to a state, and what may be taken away while it
  /// waits.
  private var doubtful: [(expression: PlacedExpression, standing: Standing)] = []
  /// Fields that are a time by themselves, and may be null: what they are called, and what for.
  private var times: [(placed: PlacedTemplate, field: String, title: String, standing: Standing)] = []

  init(_ document: Declaration, _ findings: Findings, _ references: References) {
    (self.findings, self.references) = (findings, references)
    isBlind = document.hidesNames
    isOfService = document.kind == .service
  }

  /// `nil` when it is wrong; the findings then say why.
  ///
  /// `offset` is where it begins in the string of `site`. What else is wrong is not looked for where nobody is told.
  mutating func expression(
    _ source: String, at site: Site, offset: Int = 0, in standing: Standing, expecting type: ValueType
  ) -> PlacedExpression? {
    if findings.areFull { return nil }
    do {
      let expression = try Expression.compile(source, in: standing.scope, expecting: type)
      let refs = letRefs.isEmpty ? [] : expression.facts.lets.flatMap { letRefs[$0] ?? [] }
      let placed = PlacedExpression(expression: expression, site: site, offset: offset, refs: refs)
      note(placed, in: standing)
      return placed
    } catch {
      report(error, in: source, at: site, offset: offset)
      return nil
    }
  }

  /// `nil` when it is wrong; the findings then say why.
  ///
  /// Where no text may stand, one that is an expression is told by its type alone.
  mutating func template(
    _ source: String, at site: Site, offset: Int = 0, in standing: Standing, mayBeText: Bool = true
  ) -> PlacedTemplate? {
    if findings.areFull { return nil }
    do {
      let template = try Template.compile(source, in: standing.scope)
      for expression in template.expressions {
        note(PlacedExpression(expression: expression, site: site, offset: offset, refs: []), in: standing)
      }
      if mayBeText { add(template.plainNames, severity: .warning, at: site, offset: offset) }
      return PlacedTemplate(template: template, site: site, offset: offset)
    } catch {
      report(error, in: source, at: site, offset: offset)
      return nil
    }
  }

  mutating func template(
    _ declaration: Declaration?, in standing: Standing, mayBeText: Bool = true
  ) -> PlacedTemplate? {
    guard let declaration, let source = declaration.string else { return nil }
    return template(source, at: declaration.site, in: standing, mayBeText: mayBeText)
  }

  /// A whole address: what is written out in it is percent-encoded.
  mutating func address(_ declaration: Declaration, in standing: Standing) -> PlacedTemplate? {
    if let help = declaration.string?.encodingHelp {
      findings.error("wrong-url", "this is no address", at: declaration.site, "not percent-encoded", help: help)
    }
    return template(declaration, in: standing)
  }

  private mutating func note(_ placed: PlacedExpression, in standing: Standing) {
    noted.append(placed)
    let expression = placed.expression
    for path in expression.facts.references { use(path, in: standing) }
    for name in expression.facts.lets { ledger.use(.definition, name) }
    for (problem, definition) in expression.facts.doubts {
      // A server may take what is over for a while, as one does that forgives a late rotation.
      if problem.code == "negative-grace", isOfService { continue }
      let site = definition.flatMap { definitions[$0] }
      add([problem], severity: .warning, at: site ?? placed.site, offset: site == nil ? placed.offset : 0)
    }
    if let (name, cleared) = standing.emptied.first(in: expression) {
      findings.add(
        Diagnostic(
          "may-be-null", severity: .warning, "\(name) is null here: it was cleared just before", at: placed.site,
          "reads it", help: "clear it behind this, or write null", related: (cleared, "is cleared here")))
      return
    }
    if standing.kept.isEmpty, standing.state == nil {
      warn(of: placed, tested: standing.tested)
    } else if !expression.warnings(testedElsewhere: standing.tested).isEmpty {
      doubtful.append((placed, standing))
    }
  }

  /// Warns of what was put off until it is known what is there on each way to a state, and what may be taken away while
  /// that waits.
  mutating func warnOfDoubtful(in machine: Machine) {
    guard !doubtful.isEmpty || !times.isEmpty else { return }
    let lost = machine.states.mayLoseWaiting
    func isKept(_ name: String, _ standing: Standing) -> Bool {
      standing.tested.contains(name) || (!lost.contains(name) && standing.kept.contains(name))
    }
    let names = doubtful.map { placed, standing in placed.expression.nullableFields(besides: standing.tested) }
    var sought = Set(times.filter { !isKept($0.field, $0.standing) }.map(\.field))
    for ((_, standing), names) in zip(doubtful, names) {
      sought.formUnion(names.map(\.withoutOptionals).filter { !isKept($0, standing) && !lost.contains($0) })
    }
    let there = KeyWays(.there, of: sought, in: machine)
    func isThere(_ name: String, _ standing: Standing) -> Bool {
      if isKept(name, standing) { return true }
      if lost.contains(name) || standing.gone.contains(name) { return false }
      return standing.state.map { there.know(name, at: $0) } ?? false
    }
    let missing = KeyWays(.missing, of: sought, in: machine)
    func isMissing(_ name: String, _ standing: Standing) -> Bool {
      guard !isThere(name, standing), !standing.gone.contains(name), let state = standing.state else { return false }
      return missing.know(name, at: state)
    }
    for ((placed, standing), names) in zip(doubtful, names) {
      let there = standing.tested + names.filter { isThere($0.withoutOptionals, standing) }
      let isAlone = standing.state.map { machine.states[$0].readsNoKeys(besides: placed) } ?? false
      warn(of: placed, tested: there) { isAlone && isMissing($0.withoutOptionals, standing) }
    }
    for (placed, field, title, standing) in times where isMissing(field, standing) {
      findings.warning(
        "may-be-null", "\"\(field)\" may be null where \"\(title)\" needs a value", at: placed.site, "may be null",
        help: "set it on each way to this state, or come here only where present(\(field)) holds")
    }
    (doubtful, times) = ([], [])
  }

  /// Notes a time that is nothing but a field, which ends the run where that is null.
  mutating func noteTime(_ placed: PlacedTemplate, named title: String, in standing: Standing) {
    guard placed.template.parts.count == 1, let whole = placed.template.expressions.first, let name = whole.selection,
      whole.readings.contains(where: { $0.name == name && $0.field.isNullable })
    else { return }
    times.append((placed, name.withoutOptionals, title, standing))
  }

  private mutating func warn(
    of placed: PlacedExpression, tested: [String], isMissing: (String) -> Bool = { _ in false }
  ) {
    let warnings = placed.expression.warnings(testedElsewhere: tested, isMissing: isMissing)
    add(warnings, severity: .warning, at: placed.site, offset: placed.offset)
  }

  private mutating func use(_ path: [String], in standing: Standing) {
    guard path.count > 1 else { return }
    switch path[0] {
    case "store", "memory":
      ledger.use(.key, path[1])
      // To count one up is no look at it.
      if path[1] == standing.setting {
        ledger.readForThemselves.insert(path[1])
      } else {
        ledger.read.insert(path[1])
      }
    case "config": ledger.use(.config, path[1])
    case "event":
      if let event = standing.hearing { ledger.readFields[event, default: []].insert(path[1]) }
    default: break
    }
  }

  mutating func report(_ problems: ExpressionProblems, in source: String, at site: Site, offset: Int = 0) {
    let refused = rangesOfRefusedLets(in: source)
    let told = problems.all.filter { problem in
      !(isBlind && problem.code.hasPrefix("unknown-")) && !refused.contains { $0.touches(problem.range) }
    }
    add(told, severity: .error, at: site, offset: offset)
  }

  /// Notes a let whose name has been told to be none.
  mutating func refuse(letNamed name: String) { if !name.isEmpty { refusedLets.append(Array(name.utf8)) } }

  /// Where the names of such lets stand as whole words; in quotation marks a name is a text.
  private func rangesOfRefusedLets(in source: String) -> [Range<Int>] {
    if refusedLets.isEmpty { return [] }
    let bytes = Array(source.utf8)
    return refusedLets.flatMap { name in
      bytes.indices.compactMap { start in
        let end = start + name.count
        guard bytes[start...].starts(with: name), start == 0 || !bytes[start - 1].isIdentifierPart,
          end == bytes.count || !bytes[end].isIdentifierPart
        else { return nil }
        let isText = start > 0 && end < bytes.count && bytes[start - 1] == bytes[end] && "'\"".utf8.contains(bytes[end])
        return isText ? nil : start..<end
      }
    }
  }

  /// Adds what is wrong in one string.
  private mutating func add(
    _ problems: [ExpressionProblem], severity: Diagnostic.Severity, at site: Site, offset: Int
  ) {
    for (problem, place) in zip(problems, site.inside(problems.map(\.range), from: offset)) {
      let cause = problem.cause.flatMap { cause in
        definitions[cause.name].map { ($0.inside(cause.range), cause.label) }
      }
      findings.add(
        Diagnostic(
          problem.code, severity: severity, problem.message, at: place, problem.label, help: problem.help,
          related: cause))
    }
  }
}

extension Range<Int> {
  /// Whether they overlap, or one that is empty stands in or at the other.
  fileprivate func touches(_ other: Range<Int>) -> Bool {
    isEmpty || other.isEmpty ? lowerBound <= other.upperBound && other.lowerBound <= upperBound : overlaps(other)
  }
}
