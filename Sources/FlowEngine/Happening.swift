import Expressions
import FlowSpec

/// One thing that happened, as the world tells it: free to change, never written as such.
///
/// `TraceLine` is what is written.
package struct Happening: Sendable {
  /// The instant on the world's clock.
  package var at: Timestamp
  /// Steps of the source document that this carries.
  package var refs: [String]
  package var fact: Fact

  /// Who did it or whom it concerns: an index into `Flow.participants`.
  package typealias Lane = Int

  package enum Fact: Sendable {
    /// The person opens the app, or a link starts it. From the person (the inbox for a link) to the app.
    case launched(from: Lane, to: Lane)
    /// The run goes on from the last snapshot of another scenario.
    case resumed(scenario: String)
    /// The app is killed; `keeping` durable writes of the step it was in, `nil` at rest.
    case killed(Lane, keeping: Int?)
    /// The choice that begins a step, in words that `World.describe(_:in:)` gives.
    case choice(String)
    indirect case state(StateEntered)
    case transition(TransitionTaken)
    indirect case event(EventHappening)
    indirect case request(RequestSent)
    indirect case answer(AnswerArrived)
    /// The app asks the device for something.
    indirect case perform(from: Lane, to: Lane, capability: String, input: [NamedValue])
    /// The device has done what it was asked for, or has failed to.
    indirect case result(from: Lane, to: Lane, capability: String, failure: String?, fields: [NamedValue])
    /// The browser shows a page to the person.
    indirect case page(PageShown)
    /// The person submits a form of the page.
    indirect case submit(from: Lane, to: Lane, form: String, fields: [NamedValue])
    /// The person follows a link of the page.
    indirect case follow(from: Lane, to: Lane, link: String)
    indirect case mail(MailArrived)
    indirect case openMail(from: Lane, to: Lane, mail: String)
    case set(Lane, Stretch<Change>)
    indirect case emit(Lane, String, [NamedValue])
    indirect case show(from: Lane, to: Lane, screen: String, [NamedValue])
    /// The app opens the browser tab on a URL.
    indirect case open(from: Lane, to: Lane, url: Location)
    /// `reason` says why a page counts as closed that nobody has closed.
    case close(from: Lane, to: Lane, reason: String? = nil)
    /// The clock moves by this much to `at`.
    case clock(Duration)
    /// A fault of the scenario strikes, in words.
    case fault(String)
    indirect case ended(Ended)
  }
}

/// A field of a message: as an entry of the map that expressions read it in, with a plain name for its key.
package typealias NamedValue = ValueMap.Entry

extension NamedValue {
  package var name: String {
    guard case .string(let name) = key else { return "" }
    return name.plain ?? name.string
  }

  package init(name: String, value: Value) { self.init(key: .string(name), value: value) }
}

package struct StateEntered: Sendable, Hashable {
  package var lane: Happening.Lane
  package var name: String
  package var title: String?
  /// The sub-flow it belongs to, `nil` for the flow itself.
  package var subflow: String?
  package var isGoal: Bool
}

extension StateEntered {
  package init(_ state: State, of machine: Machine, lane: Happening.Lane) {
    self.init(
      lane: lane, name: state.name, title: state.title,
      subflow: machine.subflow(of: state), isGoal: state.isGoal)
  }
}

/// An object: it is handed on as a whole more often than it is looked into.
package final class TransitionTaken: Sendable {
  package let lane: Happening.Lane
  /// The state (or route) it stands on; empty for what has no name.
  package let source: String
  package let name: String?
  package let target: Transition.Target
  /// The name of the state that it goes to.
  package let goto: String?
  /// For coverage: machine (`nil` the app, else an index into `Flow.services`) and `Transition.id`.
  package let service: Int?
  package let id: Int
  package let decisions: Stretch<Decision>
  /// For each of their readings, in order; `nil` where there is nothing to show.
  let values: Stretch<Value?>

  init(
    lane: Happening.Lane, source: String, name: String?, target: Transition.Target, goto: String? = nil,
    service: Int? = nil, id: Int, decisions: Stretch<Decision>, values: Stretch<Value?>
  ) {
    (self.lane, self.source, self.name, self.target, self.goto) = (lane, source, name, target, goto)
    (self.service, self.id, self.decisions, self.values) = (service, id, decisions, values)
  }

  /// The same with its own stretches of all that was decided and read.
  func telling(_ decided: [Decision], _ read: [Value?]) -> TransitionTaken {
    var (decisions, values) = (decisions, values)
    (decisions.all, values.all) = (decided, read)
    return TransitionTaken(
      lane: lane, source: source, name: name, target: target, goto: goto, service: service, id: id,
      decisions: decisions, values: values)
  }
}

/// A guard line that decided.
package struct Decision: Sendable {
  package let condition: ShownCondition
  package let holds: Bool
}

package struct EventHappening: Sendable {
  package enum Outcome: String, Sendable, Hashable {
    case taken, ignored
    /// Nobody takes it now; offered once more later.
    case kept
  }
  package var from: Int?
  package var to: Int
  package var name: String
  package var fields: [NamedValue]
  package var outcome: Outcome
  /// It was kept, and comes once more.
  package var isAgain = false
}

package struct RequestSent: Sendable {
  package var from: Int
  package var to: Int
  /// Pairs it with its answer.
  package var number: Int
  /// 1 for the first try.
  package var attempt: Int
  package var request: Request
}

package struct AnswerArrived: Sendable {
  package enum Fate: String, Sendable, Hashable {
    case taken
    /// Nobody waits for it any more.
    case dropped
  }
  package var from: Int
  package var to: Int
  package var number: Int
  package var answer: Answer
  package var fate: Fate
  /// The name of the model's transition that replied, `nil` when it has none or no model answered.
  package var reply: String?
  /// Why a live answer has no JSON for a caller that reads some; `nil` where it has, or has no body at all.
  package var reason: String?
  /// All that a live answer says, shown or not: what is secret in it is known before its line is written.
  var said: Value = .null
}

package struct PageShown: Sendable {
  package var from: Int
  package var to: Int
  package var title: Value
  package var text: Value?
  package var forms: [String]
  package var links: [String]
}

package struct MailArrived: Sendable {
  package var from: Int
  package var to: Int
  package var name: String
  package var address: Value?
  package var subject: Value?
  package var text: Value?
  package var links: [NamedValue]
}

package struct Change: Sendable {
  /// `users[ada].status`: a key, and in a table the row and maybe its field.
  package struct Path: Sendable {
    package var key: String
    package var row: Text?
    package var field: String?

    var text: Text {
      guard let row else { return Text(key) }
      return Text(key + "[") + row + Text(field.map { "].\($0)" } ?? "]")
    }
  }
  package let path: Path
  package let old: Value
  package let new: Value
}

package struct Ended: Sendable, Hashable {
  package enum How: Sendable, Hashable {
    /// In a goal state.
    case goal(state: String)
    /// At an `end` of the flow.
    case end(String)
    /// In a state where a person may leave the app for a week.
    case rest(state: String)
    /// Where nothing can happen any more, or a script stopped, that is neither.
    case stuck(state: String)
    /// The app is not running.
    case stopped
    /// A run error, in words.
    case error(String)
  }
  package var lane: Int
  package var how: How
}
