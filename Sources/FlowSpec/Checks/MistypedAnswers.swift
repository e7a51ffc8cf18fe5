import Expressions

extension Check {
  /// Members of an answer that go as they are into a key, and that are of another type wherever the model's route has them.
  ///
  /// Nothing is said where no answer with the member surely comes there: another status, or a condition on what is in it.
  static let mistypedAnswers: @Sendable (Examined) -> [Diagnostic] = { examined in
    var answers = KnownAnswers()
    return examined.machine.states.flatMap { state -> [Diagnostic] in
      guard case .request(let request) = state.activity, let (model, route) = examined.surelyAsks(request) else {
        return []
      }
      lazy var answered = answers.members(of: route, in: model)
      var places: [(actions: [Action], mayCome: (Int64) -> Bool)] = state.next.indices.map { index in
        (state.next[index].actions, { state.next.mayTakeAny(status: $0, at: index) })
      }
      if let retry = request.retry {
        places.append((retry.actions, { retry.when?.mayHoldForAny(status: $0) != false }))
      }
      return places.flatMap { actions, mayCome in
        actions.flatMap(\.assignments).compactMap { assignment in
          guard let (reading, path, site) = assignment.member, !assignment.place.isWholeRow,
            answered.has(path, whereStatus: mayCome)
          else { return nil }
          let type = assignment.place.keeping.field.type
          let values = answered.values(at: path)
          guard let value = values.first, values.allSatisfy({ !$0.fits(type) }) else { return nil }
          return Diagnostic(
            "type-mismatch", severity: .warning,
            "every answer of \(route.line) of \"\(model.name)\" that has \(reading) has \(value.kindName.withArticle)"
              + " there, where \(type.title.withArticle) is needed", at: site, "this is \(value.kindName.withArticle)",
            help: value.conversion(to: type)
              ?? "let the model answer \(type.title.withArticle), or give the key another type")
        }
      }
    }
  }
}

extension Assignment {
  /// The member of an answer's body that it copies, and where that is written; `nil` for anything else.
  fileprivate var member: (reading: String, path: MemberPath, site: Site)? {
    guard case .template(let placed) = value, placed.template.isAlone,
      let reading = placed.template.expressions.first?.selection,
      let path = MemberPath(reading, below: "response.json"), !path.parts.isEmpty, path.isChosen
    else { return nil }
    return (reading, path, placed.site)
  }
}

extension Value {
  fileprivate func fits(_ type: ValueType) -> Bool {
    var copy = self
    return copy.fit(type)
  }
}
