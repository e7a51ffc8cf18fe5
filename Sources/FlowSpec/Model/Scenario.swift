import Expressions

/// One situation of a flow, checked against it.
package struct Scenario: Sendable {
  /// How many others, one behind the other, must at most be run before one.
  package static let deepest = 100

  package let name: String
  /// Where the name stands.
  package let nameSite: Site
  package let title: String?
  package let refs: [String]
  package let document: Document
  package let given: Given
  /// `nil`: the person is automatic.
  package let script: [Step]?
  package let faults: [Fault]
  /// The state or end it must stop in, `nil` when it does not say.
  package let ends: (name: String, site: Site)?
  /// Names of the keys of the flow's config that its templates read.
  let readSettings: Set<String>

  package struct Given: Sendable {
    /// The name of the scenario whose last snapshot this one starts from.
    package let after: String?
    /// Where that name stands.
    package let afterSite: Site?
    package let store: [Assignment]
    /// Slots of `Machine.config` with their values.
    package let config: [(key: Int, value: Value)]
    package let online: Bool?
    package let native: Bool?
    package let platform: String?
    package let now: Timestamp?
    package let nowSite: Site?
    /// Indices into `Flow.services`, with what is stored there.
    package let services: [(service: Int, store: [Assignment])]
  }

  package struct Step: Sendable {
    package enum Kind: Sendable {
      /// Index into the app's events.
      case event(Int, with: [FieldValue])
      case submit(form: String, with: [FieldValue])
      case follow(link: String)
      /// `nth` counts the mails of this name from the oldest, which is 1, and is `nil` for the newest; `link` is the one
      /// to follow, `nil` for the first.
      case openMail(String, nth: Int?, link: String?)
      case closeBrowser
      case offline, online
      case advance(Duration)
      /// `keeping`: cuts off the next step that writes more than so many durable writes; `nil` kills between two steps.
      case kill(keeping: Int?)
      case launch
      case relaunch(after: Duration)
      /// Something outside opens an address that leads to the app.
      case arrive(PlacedTemplate)
      /// From here on something goes wrong, and its tries are counted.
      case fault(Fault)
    }
    package let kind: Kind
    package let site: Site
    /// Where it names the link of a mail.
    package let linkSite: Site?
  }

  package struct Fault: Sendable {
    package enum Target: Sendable, Hashable {
      /// A route of a service; `from` is a participant's index, `nil` for any.
      case route(service: Int, route: Int, from: Int?)
      /// Index into `Flow.capabilities`.
      case perform(Int)
    }
    package enum Nth: Sendable, Hashable {
      case number(Int)
      case every
    }
    package enum Effect: Sendable {
      /// A `sometimes` transition of the route or of the service, by name.
      case reply(String)
      /// In place of the model, which does not act.
      case answer(Reply)
      /// The model acts, and this comes in place of its answer.
      case replaced(Reply)
      case unreachable, lost
      /// What would happen anyway, only later.
      case usual
      /// A named failure of a capability.
      case fails(String)
      /// Fields of a capability's result.
      case result([FieldValue])
    }
    package let target: Target
    package let nth: Nth
    package let effect: Effect
    /// How long the answer, or what the device does, takes; `nil` comes at once.
    package let delay: Duration?
    package let site: Site

    package init(target: Target, nth: Nth, effect: Effect, delay: Duration?, site: Site) {
      (self.target, self.nth, self.effect, self.delay, self.site) = (target, nth, effect, delay, site)
    }
  }
}
