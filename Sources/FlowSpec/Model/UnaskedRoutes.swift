/// The routes of models that none of several flows asks for, each with the first flow that has the model.
package struct UnaskedRoutes {
  private struct Model {
    /// The flow, by its place among all, and the service in it.
    let flow, service: Int
    var unasked: Set<Int>
  }

  private var models: [Document: Model] = [:]

  package init(of flows: [Flow]) {
    for (number, flow) in flows.enumerated() {
      let asked = flow.askedRoutes()
      for (index, service) in flow.services.enumerated() {
        guard let model = service.model else { continue }
        let unasked = Set(model.routes.indices.filter { !asked[index][$0] })
        models[model.document, default: Model(flow: number, service: index, unasked: unasked)].unasked
          .formIntersection(unasked)
      }
    }
  }

  /// For each service of a flow, by its place among all, the routes that are told of with it; of models that these flows
  /// alone have.
  package func routes(of flow: Flow, at number: Int, where isTheirs: (Document) -> Bool) -> [Set<Int>] {
    flow.services.enumerated().map { index, service in
      guard let document = service.model?.document, let model = models[document], model.flow == number,
        model.service == index, isTheirs(document)
      else { return [] }
      return model.unasked
    }
  }
}
