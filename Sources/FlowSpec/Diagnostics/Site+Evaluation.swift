import Expressions
import JSONSyntax

extension Site {
  /// Where an expression went wrong while running: the part that did, inside the string that holds it.
  package init(of error: EvaluationError, in placed: PlacedExpression) {
    self = error.range.map { placed.site.inside($0, from: placed.offset) } ?? placed.site
  }

  /// Where a template went wrong while running: the part that did, inside the string that holds it.
  package init(of error: EvaluationError, in placed: PlacedTemplate) {
    self = error.range.map { placed.site.inside($0, from: placed.offset) } ?? placed.site
  }

  /// A part of the string whose token this is, by UTF-8 offsets in the decoded string, which count from `start`.
  func inside(_ range: Range<Int>, from start: Int = 0) -> Site { inside([range], from: start)[0] }

  /// The same of several parts: the string is read once for all.
  func inside(_ ranges: [Range<Int>], from start: Int = 0) -> [Site] {
    if ranges.isEmpty { return [] }
    let offsets = StringTokenOffsets(ofStringToken: range, in: document.bytes)
    return ranges.map { range in
      Site(document: document, range: offsets.documentRange(range.lowerBound + start..<range.upperBound + start))
    }
  }
}

extension Flow {
  /// Where in a let something went wrong that is used in the document of `use`; `nil` where it was in none.
  package func site(of definition: EvaluationError.Definition?, usedAt use: Site) -> Site? {
    let machines = [(document, app)] + services.compactMap(\.model).map { ($0.document, $0.machine) }
    guard let definition, let machine = machines.first(where: { $0.0 == use.document })?.1,
      let site = machine.definitions[definition.name]
    else { return nil }
    return definition.range.map { site.inside($0) } ?? site
  }
}
