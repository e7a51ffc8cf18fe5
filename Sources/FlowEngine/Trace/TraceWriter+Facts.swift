import Expressions
import FlowSpec
import JSONSyntax

extension TraceWriter {
  /// Writes everything behind `at`, in one place for each kind of fact.
  mutating func write(_ fact: Happening.Fact, refs: [String]) {
    switch fact {
    case .launched, .resumed, .killed, .choice, .clock, .fault, .ended: writeRun(fact, refs: refs)
    case .state, .transition, .event, .set, .emit, .show: writeMachine(fact, refs: refs)
    case .request(let sent): write(sent, refs: refs)
    case .answer(let arrived): write(arrived, refs: refs)
    case .perform, .result: writeDevice(fact, refs: refs)
    case .page, .submit, .follow, .mail, .openMail, .open, .close: writeBrowser(fact, refs: refs)
    }
  }

  private mutating func writeRun(_ fact: Happening.Fact, refs: [String]) {
    switch fact {
    case .launched(let from, let to): begin(.launched, from: from, to: to, refs: refs)
    case .resumed(let scenario):
      begin(.resumed, refs: refs)
      line.member("after", scenario)
    case .killed(let lane, let keeping):
      begin(.killed, who: lane, refs: refs)
      if let keeping { line.member("keeping", keeping) }
    case .choice(let words):
      begin(.choice, refs: refs)
      line.member("choice", words)
    case .clock(let duration):
      begin(.clock, refs: refs)
      line.member("by", duration.text)
    case .fault(let words):
      begin(.fault, refs: refs)
      line.member("fault", words)
    case .ended(let ended):
      begin(.ended, who: ended.lane, refs: refs)
      write(ended.how)
    default: preconditionFailure("A fact about the run itself.")
    }
  }

  private mutating func write(_ how: Ended.How) {
    switch how {
    case .goal(let state):
      line.member("how", "goal")
      line.member("state", state)
    case .end(let name):
      line.member("how", "end")
      line.member("end", name)
    case .rest(let state):
      line.member("how", "rest")
      line.member("state", state)
    case .stuck(let state):
      line.member("how", "stuck")
      line.member("state", state)
    case .stopped: line.member("how", "stopped")
    case .error(let words):
      line.member("how", "error")
      line.member("error", words)
    }
  }

  private mutating func writeDevice(_ fact: Happening.Fact, refs: [String]) {
    switch fact {
    case .perform(let from, let to, let capability, let input):
      begin(.perform, from: from, to: to, refs: refs)
      line.member("perform", capability)
      line.member("title", words.titles[capability])
      write("with", input)
    case .result(let from, let to, let capability, let failure, let fields):
      begin(.result, from: from, to: to, refs: refs)
      line.member("perform", capability)
      line.member("failure", failure)
      write("with", fields)
    default: preconditionFailure("A fact about the device.")
    }
  }
}
