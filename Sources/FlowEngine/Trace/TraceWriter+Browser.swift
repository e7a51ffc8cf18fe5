import Expressions
import FlowSpec
import JSONSyntax

extension TraceWriter {
  mutating func write(_ page: PageShown, refs: [String], to line: inout JSONLine) {
    begin(.page, from: page.from, to: page.to, refs: refs, to: &line)
    write("page", page.title, to: &line)
    if let text = page.text { write("text", text, to: &line) }
    line.member("forms", page.forms)
    line.member("links", page.links)
  }

  mutating func write(_ mail: MailArrived, refs: [String], to line: inout JSONLine) {
    begin(.mail, from: mail.from, to: mail.to, refs: refs, to: &line)
    line.member("mail", mail.name)
    if let address = mail.address { write("address", address, to: &line) }
    if let subject = mail.subject { write("subject", subject, to: &line) }
    if let text = mail.text { write("text", text, to: &line) }
    write("links", mail.links, to: &line)
  }
}
