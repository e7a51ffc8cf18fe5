import Expressions
import FlowSpec
import JSONSyntax

extension TraceWriter {
  /// Writes everything behind `at`.
  ///
  /// Nearly all stand in one `switch`: what it takes out of one is copied.
  mutating func writeFact(of happening: UnsafePointer<Happening>, of record: Record, to line: inout JSONLine) {
    let refs = happening.pointee.refs
    switch happening.pointee.fact {
    case .state(let entered): write(entered, refs: refs, to: &line)
    case .transition(let taken): write(taken, of: record, refs: refs, to: &line)
    case .set(let lane, let stretch): write(record.changes, stretch.indices, of: lane, refs: refs, to: &line)
    case .emit(let lane, let name, let fields):
      begin(.emit, who: lane, refs: refs, to: &line)
      line.member("emit", name)
      write("with", fields, to: &line)
    case .show(let from, let to, let screen, let fields):
      begin(.show, from: from, to: to, refs: refs, to: &line)
      line.member("show", screen)
      line.member("title", words.screenTitles[screen])
      write("with", fields, to: &line)
    case .event(let event): write(event, refs: refs, to: &line)
    case .request(let sent): write(sent, refs: refs, to: &line)
    case .answer(let arrived): write(arrived, refs: refs, to: &line)
    case .perform(let from, let to, let capability, let input):
      begin(.perform, from: from, to: to, refs: refs, to: &line)
      line.member("perform", capability)
      line.member("title", words.titles[capability])
      write("with", input, to: &line)
    case .result(let from, let to, let capability, let failure, let fields):
      begin(.result, from: from, to: to, refs: refs, to: &line)
      line.member("perform", capability)
      line.member("failure", failure)
      write("with", fields, to: &line)
    case .page(let page): write(page, refs: refs, to: &line)
    case .mail(let mail): write(mail, refs: refs, to: &line)
    case .submit(let from, let to, let form, let fields):
      begin(.submit, from: from, to: to, refs: refs, to: &line)
      line.member("form", form)
      write("with", fields, to: &line)
    default: writeBrief(happening.pointee.fact, refs: refs, to: &line)
    }
  }

  /// What tells one thing at most.
  private mutating func writeBrief(_ fact: Happening.Fact, refs: [String], to line: inout JSONLine) {
    switch fact {
    case .choice(let words):
      begin(.choice, to: &line)
      line.member("choice", words)
    case .launched(let from, let to): begin(.launched, from: from, to: to, refs: refs, to: &line)
    case .resumed(let scenario):
      begin(.resumed, to: &line)
      line.member("after", scenario)
    case .killed(let lane, let keeping):
      begin(.killed, who: lane, to: &line)
      if let keeping { line.member("keeping", keeping) }
    case .clock(let duration):
      begin(.clock, to: &line)
      line.member("by", duration.text)
    case .fault(let words):
      begin(.fault, to: &line)
      line.member("fault", words)
    case .follow(let from, let to, let link):
      begin(.follow, from: from, to: to, refs: refs, to: &line)
      line.member("link", link)
    case .openMail(let from, let to, let mail):
      begin(.openMail, from: from, to: to, to: &line)
      line.member("mail", mail)
    case .open(let from, let to, let url):
      begin(.open, from: from, to: to, refs: refs, to: &line)
      write("url", url, isWhole: true, to: &line)
    case .close(let from, let to, let reason):
      begin(.close, from: from, to: to, refs: refs, to: &line)
      line.member("reason", reason)
    case .ended(let ended):
      begin(.ended, who: ended.lane, refs: refs, to: &line)
      write(ended.how, to: &line)
    default: preconditionFailure("A fact that tells one thing.")
    }
  }

  private func write(_ how: Ended.How, to line: inout JSONLine) {
    let (word, name, value): (String, StaticString, String?) =
      switch how {
      case .goal(let state): ("goal", "state", state)
      case .end(let name): ("end", "end", name)
      case .rest(let state): ("rest", "state", state)
      case .stuck(let state): ("stuck", "state", state)
      case .stopped: ("stopped", "", nil)
      case .error(let words): ("error", "error", words)
      }
    line.member("how", word)
    line.member(name, value)
  }
}

extension JSONLine {
  /// Their names have nothing to escape; written into whoever says them, they are copied in one go.
  @inline(__always)
  mutating func member(_ name: StaticString, _ value: String) {
    self.name(name)
    string(value)
  }

  /// Writes nothing for `nil`.
  mutating func member(_ name: StaticString, _ value: String?) {
    if let value { member(name, value) }
  }

  mutating func member(_ name: StaticString, _ value: Int) {
    self.name(name)
    int(Int64(value))
  }

  /// Writes nothing for an empty list.
  mutating func member(_ name: StaticString, _ values: [String]) {
    guard !values.isEmpty else { return }
    self.name(name)
    for index in values.indices {
      raw(index == 0 ? "[" : ",")
      string(values[index])
    }
    raw("]")
  }
}
