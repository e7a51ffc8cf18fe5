import Expressions

/// A simulated service.
package final class ServiceModel: Sendable {
  /// The document's `service`.
  package let name: String
  package let document: Document
  /// Names whose values are secret in its traffic.
  package let secrets: [SecretName]
  package let machine: Machine
  /// Those of its states, and of what serves every route.
  let expressions: [PlacedExpression]
  /// Whether it looks at headers of requests.
  package let readsHeaders: Bool
  package let routes: [Route]
  /// Whether some route could not be read; never so in a flow that loaded.
  let hasBrokenRoutes: Bool
  /// Where refs name steps of other flows than the one being loaded, with the text and the name of the flow.
  let otherRefs: [(flow: String, text: String, site: Site)]
  /// Replies that every route may give when asked for by name.
  package let sometimes: [Transition]
  /// Its states; `nil` where neither a route nor what every route may do leads on to them.
  let graph: StateGraph?
  private let index: PathIndex
  /// Their indices by `Route.shape`.
  private let shapes: [String: [Int]]

  init(
    name: String, document: Document, secrets: [SecretName], machine: Machine,
    expressions: [PlacedExpression], routes: [Route], hasBrokenRoutes: Bool,
    otherRefs: [(flow: String, text: String, site: Site)], sometimes: [Transition]
  ) {
    (self.name, self.document, self.secrets, self.machine) = (name, document, secrets, machine)
    (self.expressions, self.routes) = (expressions, routes)
    readsHeaders = (expressions + routes.flatMap(\.expressions)).contains { placed in
      placed.expression.facts.references.contains { $0.starts(with: ["request", "headers"]) || $0 == ["request"] }
    }
    (self.hasBrokenRoutes, self.otherRefs, self.sometimes) = (hasBrokenRoutes, otherRefs, sometimes)
    graph = routes.contains(where: \.goesOn) || sometimes.leadOn ? StateGraph(machine) : nil
    index = PathIndex(routes.map { ($0.method, $0.path.segments) })
    shapes = Dictionary(grouping: routes.indices) { routes[$0].shape }
  }

  /// The index of the first route, in document order, that takes a request; `nil` for none.
  package func route(_ method: String, _ path: [Text]) -> Int? {
    if routes.count <= PathIndex.few { return routes.firstIndex { $0.takes(method, path) } }
    var least: Int?
    for candidates in index.candidates(method, path.count, text: { path[$0].string }) {
      let found = candidates.first { routes[$0].takes(method, path) }
      if let found, found < least ?? .max { least = found }
    }
    return least
  }

  /// The first route that may answer: a template in a segment may become anything.
  func route(_ method: String, _ path: [PlacedTemplate]) -> Route? {
    var least: Int?
    for candidates in candidates(method, path) {
      let found = candidates.first { mayTake($0, path) }
      if let found, found < least ?? .max { least = found }
    }
    return least.map { routes[$0] }
  }

  /// The indices of all routes that may answer.
  func routes(_ method: String, _ path: [PlacedTemplate]) -> [Int] {
    candidates(method, path).flatMap { $0.filter { mayTake($0, path) } }
  }

  /// The indices of the routes that a request line names; their variables may be called otherwise.
  func routes(ofShape shape: String) -> [Int] { shapes[shape] ?? [] }

  /// Whether a route may take a path of which the start alone may be known.
  func mayTake(_ method: String, _ path: [String], isWhole: Bool) -> Bool {
    index.candidates(method, path, isWhole: isWhole).joined().contains { routes[$0].path.segments.start(with: path) }
  }

  private func candidates(_ method: String, _ path: [PlacedTemplate]) -> [[Int]] {
    index.candidates(method, path.count) { path[$0].template.literalText }
  }

  private func mayTake(_ route: Int, _ path: [PlacedTemplate]) -> Bool {
    zip(routes[route].path.segments, path).allSatisfy { $0.mayMatch($1.template) }
  }
}

extension ServiceModel {
  /// Every transition, those of routes first.
  var transitions: [Transition] { routes.flatMap(\.next) + sometimes + machine.transitions }

  /// The services to which its pages and redirects lead, as far as documents say it; indices into `Flow.services`.
  package var pageDestinations: Set<Destination> {
    Set(transitions.replies.flatMap(\.visits).compactMap(\.to))
  }

  /// What its forms say is secret, by where it comes back.
  var formSecrets: [SecretName] {
    transitions.replies.compactMap { if case .page(let page)? = $0.body { page.forms } else { nil } }.joined()
      .flatMap { form in
        form.secretNames.all.map { SecretName(name: $0, part: form.method == "GET" ? .query : .form) }
      }
  }

  /// The mails that it may send.
  var mails: [MailSpec] { machine.actions(transitions).mails }
}

extension [Transition] {
  /// Whether some of them does not answer by itself.
  fileprivate var leadOn: Bool { contains { if case .reply = $0.target { false } else { true } } }
}

package final class Route: Sendable {
  /// As written: `POST /devices/{id}/refresh`.
  package let line: String
  package let method: String
  /// The same, as expressions read it.
  package let methodValue: Value
  package let path: PathPattern
  /// Method and path with its variables unnamed.
  let shape: String
  package let refs: [String]
  package let next: [Transition]
  /// Those of its transitions, of the named actions in them too.
  let expressions: [PlacedExpression]
  package let site: Site
  /// The segments of the path that have a variable.
  package let variables: [Variable]

  init(
    line: String, method: String, path: PathPattern, refs: [String], next: [Transition],
    expressions: [PlacedExpression], site: Site
  ) {
    variables = path.segments.enumerated().compactMap { index, segment in
      segment.variable.map { Variable(index: index, key: .string($0), name: $0) }
    }
    (self.line, self.method, self.path, self.refs, self.next) = (line, method, path, refs, next)
    methodValue = .string(method)
    (self.expressions, self.site) = (expressions, site)
    shape = "\(method) \(path.shape)"
  }

  /// Whether some transition of it leads to a state, which answers in its place.
  var goesOn: Bool { next.leadOn }

  /// Whether it answers a request of that method and those segments.
  package func takes(_ method: String, _ path: [Text]) -> Bool {
    self.method == method && self.path.segments.matches(path)
  }

  /// The variables of a path that it takes, in order.
  package func variables(in path: [Text]) -> ValueMap {
    ValueMap(
      distinct: variables.compactMap { variable in
        self.path.segments[variable.index].value(in: path[variable.index]).map { text in
          ValueMap.Entry(key: variable.key, value: .string(text))
        }
      })
  }

  package struct Variable: Sendable {
    package let index: Int
    /// The name, as maps have it.
    let key: Value
    package let name: String
  }
}

package final class Reply: Sendable {
  package enum Body: Sendable {
    case content(RequestSpec.Body)
    case page(Page)
  }
  package let status: Int
  package let headers: [FieldValue]
  package let cookies: [FieldValue]
  package let body: Body?
  package let redirect: PageTarget?
  package let refs: [String]
  package let site: Site

  init(
    status: Int, headers: [FieldValue], cookies: [FieldValue], body: Body?, redirect: PageTarget?, refs: [String],
    site: Site
  ) {
    (self.status, self.headers, self.cookies, self.body, self.redirect) = (status, headers, cookies, body, redirect)
    (self.refs, self.site) = (refs, site)
  }
}

package struct Page: Sendable {
  package final class Form: Sendable {
    package let name: String
    package let title: String?
    /// `GET` or `POST`.
    package let method: String
    package let target: PageTarget
    package let fields: ObjectType
    /// Their names, as maps have them, and those whose values are secret.
    package let keys: [Value]
    package let secretNames: Names
    package let examples: [ValueTemplate?]
    /// Their values, where all of them are known before the run.
    package let knownExamples: [Value?]?
    package let refs: [String]
    package let site: Site

    init(
      name: String, title: String?, method: String, target: PageTarget, fields: ObjectType,
      examples: [ValueTemplate?], refs: [String], site: Site
    ) {
      (self.name, self.title, self.method, self.target, self.fields) = (name, title, method, target, fields)
      keys = fields.fields.map { .string($0.name) }
      secretNames = Names(fields.fields.compactMap(\.secret))
      (self.examples, self.refs, self.site) = (examples, refs, site)
      knownExamples = Self.known(examples, of: fields)
    }

    private static func known(_ examples: [ValueTemplate?], of fields: ObjectType) -> [Value?]? {
      var values: [Value?] = []
      for (field, example) in zip(fields.fields, examples) {
        switch example {
        case .literal(let value): values.append(field.marked(value))
        case nil: values.append(nil)
        case .template, .list, .object: return nil
        }
      }
      return values
    }
  }
  package struct Link: Sendable {
    package let name: String
    package let title: String?
    package let target: PageTarget
    package let refs: [String]
  }
  package let title: PlacedTemplate
  package let text: PlacedTemplate?
  package let forms: [Form]
  package let links: [Link]
  package let refs: [String]
}
