import Expressions
import JSONSyntax

extension Site {
  /// Where an expression went wrong while running: the part that did, inside the string that holds it.
  package init(of error: EvaluationError, in placed: PlacedExpression) {
    self = Self.part(error.range, of: placed.site, from: placed.offset)
  }

  /// Where a template went wrong while running: the part that did, inside the string that holds it.
  package init(of error: EvaluationError, in placed: PlacedTemplate) {
    self = Self.part(error.range, of: placed.site, from: placed.offset)
  }

  private static func part(_ range: Range<Int>?, of site: Site, from offset: Int) -> Site {
    guard let range else { return site }
    return site.inside((range.lowerBound + offset)..<(range.upperBound + offset))
  }

  /// A part of the string whose token this is, by UTF-8 offsets in the decoded string.
  func inside(_ range: Range<Int>) -> Site {
    let offsets = StringTokenOffsets(ofStringToken: self.range, in: document.bytes)
    return Site(document: document, range: offsets.documentRange(range))
  }
}
