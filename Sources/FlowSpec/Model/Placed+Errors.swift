import Expressions

extension PlacedExpression {
  /// Where in the document an error of running it happened.
  package func site(of error: EvaluationError) -> Site { error.site(in: site, offset: offset) }
}

extension PlacedTemplate {
  /// Where in the document an error of running it happened.
  package func site(of error: EvaluationError) -> Site { error.site(in: site, offset: offset) }
}

extension EvaluationError {
  fileprivate func site(in site: Site, offset: Int) -> Site {
    guard let range else { return site }
    return site.inside((range.lowerBound + offset)..<(range.upperBound + offset))
  }
}
