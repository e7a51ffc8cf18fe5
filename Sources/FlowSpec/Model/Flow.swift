import Expressions

/// A flow that has been checked, with the models of its services: ready to run.
///
/// Only loading makes one.
package final class Flow: Sendable {
  package let name: String
  package let title: String
  package let document: Document
  /// The steps of the document that the flow implements.
  package let steps: [(id: String, site: Site)]
  /// In the order of the sequence diagram's lanes.
  package let participants: [Participant]
  /// The app under test.
  package let app: Machine
  /// One for each participant of kind `service`, in participant order.
  ///
  /// `RequestSpec.to` indexes this.
  package let services: [Service]
  /// The app's own redirect targets and link patterns.
  package let redirectURIs: [PlacedTemplate]
  package let links: [LinkPattern]
  /// What the app can ask of the device; `PerformSpec.capability` indexes this.
  package let capabilities: [Capability]
  /// What people read in place of the names of screens, where they have a title.
  package let screenTitles: [String: String]
  /// When stored instants matter: so long behind each of them, ascending; negative ones stand before it.
  ///
  /// Those that a run sets into a key of type duration are not known. Zero is among them. An instant that lies further back than the last is *past*.
  package let spans: [Duration]
  /// Ids of `source` that some object of the flow or of a model carries as `ref`; scenarios carry others.
  let carriedRefs: Set<String>
  /// Where steps of `source` are named, be it on something that no trace shows.
  let namedRefs: [String: Site]
  private let overrules: [Findings.Overrule]

  init(
    name: String, title: String, document: Document, steps: [(id: String, site: Site)], participants: [Participant],
    app: Machine, services: [Service], redirectURIs: [PlacedTemplate], links: [LinkPattern],
    capabilities: [Capability], screenTitles: [String: String], spans: [Duration], carriedRefs: Set<String>,
    namedRefs: [String: Site], overrules: [Findings.Overrule]
  ) {
    (self.name, self.title, self.document, self.steps) = (name, title, document, steps)
    (self.participants, self.app, self.services, self.redirectURIs) = (participants, app, services, redirectURIs)
    (self.links, self.capabilities, self.screenTitles, self.spans) = (links, capabilities, screenTitles, spans)
    (self.carriedRefs, self.namedRefs, self.overrules) = (carriedRefs, namedRefs, overrules)
  }

  /// Whether an author says with `despite` that a check does not count there.
  package func overrules(_ code: String, at site: Site) -> Bool {
    overrules.contains { $0.covers(code, at: site) }
  }

  /// The service that `to` names in a model: of participants that share the model it means the one that it acts for.
  package func instance(_ named: Destination, namedBy service: Destination?) -> Destination {
    guard let service, let model = services[service].model, services[named].model === model else { return named }
    return service
  }

  /// What is compared with a secret by its name, as the services and their forms list it.
  package var comparedSecrets: ComparedSecrets {
    ComparedSecrets(services.flatMap { $0.secrets + ($0.model?.formSecrets ?? []) })
  }
}

package struct Participant: Sendable {
  /// As a document names it.
  package enum Kind: String, Sendable, CaseIterable {
    case person, app, browser, inbox, device, service
  }
  package let name: String
  package let title: String
  package let kind: Kind
  package let site: Site
}

/// An HTTP peer of the flow.
package struct Service: Sendable {
  /// Index into `Flow.participants`.
  package let participant: Int
  /// Base URL over `config`; its path, if any, stands before every request path.
  package let url: PlacedTemplate?
  package let origins: [PlacedTemplate]
  package private(set) var secrets: [SecretName]
  /// `nil` when the service can only be live.
  package let model: ServiceModel?

  /// Adds a name, unless it counts already.
  mutating func hide(_ name: SecretName) {
    if !secrets.marks(name.name, in: name.part) { secrets.append(name) }
  }

  /// For each segment of a request's path the secret variable of its route, unless all that stands for it is read.
  package func secretVariables(_ method: String, _ path: [PlacedTemplate]) -> [String?] {
    let segments = model?.route(method, path)?.path.segments ?? []
    return path.enumerated().map { index, placed in
      guard index < segments.count, case .variable(let name, let before, let behind) = segments[index],
        secrets.marks(name, in: .path), !placed.template.isSelection(between: before, behind)
      else { return nil }
      return name
    }
  }
}

extension Template {
  /// Whether nothing is written out in it but this text around something that is read.
  fileprivate func isSelection(between before: String, _ behind: String) -> Bool {
    let texts = parts.compactMap { if case .literal(let text) = $0 { text } else { nil } }
    return expressions.count == 1 && expressions[0].selection != nil && texts.joined() == before + behind
  }
}

/// A name whose values are secret in a service's traffic.
package struct SecretName: Sendable, Hashable {
  package enum Part: String, Sendable, Hashable {
    case query, json, path, form, header, cookie
  }
  package let name: String
  /// `nil` for wherever it stands.
  package let part: Part?

  /// What it marks in a part of a message; the names of headers have no case, and stand there in lower case.
  package func name(in part: Part) -> String? {
    guard self.part == nil || self.part == part else { return nil }
    return part == .header ? name.lowercased() : name
  }
}

extension SecretName {
  /// `code`, or with its place: `query.code`.
  init(_ text: String) {
    if let dot = text.firstIndex(of: "."), let part = Part(rawValue: String(text[..<dot])) {
      self.init(name: String(text[text.index(after: dot)...]), part: part)
    } else {
      self.init(name: text, part: nil)
    }
  }
}

extension [SecretName] {
  /// Whether a value of this name is secret in this part of a message.
  func marks(_ name: String, in part: SecretName.Part?) -> Bool {
    contains { secret in
      part.map { secret.name(in: $0) == name } ?? (secret.part == nil && secret.name == name)
    }
  }
}

extension ComparedSecrets {
  /// By what services list.
  package init(_ secrets: [SecretName]) {
    let partial = secrets.compactMap { secret in secret.part.map { (secret.name(in: $0) ?? secret.name, $0.read) } }
    self.init(secrets.filter { $0.part == nil }.map(\.name), partial: partial)
  }
}

extension SecretName.Part {
  /// What expressions call it.
  fileprivate var read: String {
    switch self {
    case .query, .json, .path, .form: rawValue
    case .header: "headers"
    case .cookie: "cookies"
    }
  }
}

/// `"welcome": "https://profile.example/welcome/{activationToken}"`.
package struct LinkPattern: Sendable {
  package let name: String
  /// All of it, as written.
  package let text: String
  /// Scheme, host and port, as written: `https://profile.example`, or a custom scheme `com.example:`.
  package let origin: String
  package let segments: [PathPattern.Segment]
  /// Index of `link.<name>` in `Machine.events`, `nil` when no state takes it.
  package let event: Int?
}

package struct Capability: Sendable {
  package let name: String
  package let title: String
  package let input: ObjectType
  /// Without `failure`.
  package let result: ObjectType
  /// Over `input`, in the order of `result.fields`.
  package let example: [ValueTemplate]
  package let failures: [String]
}
