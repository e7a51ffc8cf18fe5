import Expressions
import FlowSpec
import JSONSyntax

extension TraceWriter {
  mutating func writeBrowser(_ fact: Happening.Fact, refs: [String]) {
    switch fact {
    case .page(let page): write(page, refs: refs)
    case .submit(let from, let to, let form, let fields):
      begin(.submit, from: from, to: to, refs: refs)
      line.member("form", form)
      write("with", fields)
    case .follow(let from, let to, let link):
      begin(.follow, from: from, to: to, refs: refs)
      line.member("link", link)
    case .mail(let mail): write(mail, refs: refs)
    case .openMail(let from, let to, let mail):
      begin(.openMail, from: from, to: to, refs: refs)
      line.member("mail", mail)
    case .open(let from, let to, let url):
      begin(.open, from: from, to: to, refs: refs)
      write("url", url, isWhole: true)
    case .close(let from, let to): begin(.close, from: from, to: to, refs: refs)
    default: preconditionFailure("A fact about the browser or the inbox.")
    }
  }

  private mutating func write(_ page: PageShown, refs: [String]) {
    begin(.page, from: page.from, to: page.to, refs: refs)
    write("page", page.title)
    if let text = page.text { write("text", text) }
    line.member("forms", page.forms)
    line.member("links", page.links)
  }

  private mutating func write(_ mail: MailArrived, refs: [String]) {
    begin(.mail, from: mail.from, to: mail.to, refs: refs)
    line.member("mail", mail.name)
    if let address = mail.address { write("address", address) }
    if let subject = mail.subject { write("subject", subject) }
    write("links", mail.links)
  }
}
