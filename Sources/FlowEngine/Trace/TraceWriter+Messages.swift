import Expressions
import FlowSpec
import JSONSyntax

extension TraceWriter {
  /// `number` pairs a request with its answer.
  mutating func write(_ sent: RequestSent, refs: [String], to line: inout JSONLine) {
    hidden = words.secrets.names(between: sent.from, sent.to)
    defer { hidden = words.secrets.anywhere }
    begin(.request, from: sent.from, to: sent.to, refs: refs, to: &line)
    line.member("number", sent.number)
    if sent.attempt > 1 { line.member("attempt", sent.attempt) }
    let request = sent.request
    if let origin = request.origin, origin.isSecret { aliases.know(hostOf: origin) }
    line.name("request")
    line.raw("\"")
    line.part(request.method)
    line.raw(" ")
    writePath(request.path, to: &line)
    line.raw("\"")
    write("query", request.query, to: &line)
    writeHeaders(request.headers, to: &line)
    if let bearer = request.bearer { write("bearer", bearer.hidden(as: "bearer"), to: &line) }
    writeCookies(request.cookies, to: &line)
    if let body = request.body { write(body, to: &line) }
  }

  private mutating func write(_ body: Body, to line: inout JSONLine) {
    switch body {
    case .json(let value): write("json", value, to: &line)
    case .form(let fields): write("form", fields, to: &line)
    case .text(let text): write("text", text, to: &line)
    }
  }

  /// `reply` is the name of the transition of the model that replied.
  mutating func write(_ arrived: AnswerArrived, refs: [String], to line: inout JSONLine) {
    hidden = words.secrets.names(between: arrived.from, arrived.to)
    defer { hidden = words.secrets.anywhere }
    aliases.know(arrived.said, under: hidden)
    begin(.answer, from: arrived.from, to: arrived.to, refs: refs, to: &line)
    line.member("number", arrived.number)
    switch arrived.answer {
    case .failure(let failure, let reason):
      line.member("failure", failure.rawValue)
      if let reason { write("reason", Text(reason), to: &line) }
    case .response(let response):
      line.member("status", response.status)
      line.member("reply", arrived.reply)
      if let reason = arrived.reason { write("reason", Text(reason), to: &line) }
      write(response, to: &line)
    }
    if arrived.fate == .dropped { line.raw(",\"dropped\":true") }
  }

  private mutating func write(_ response: Response, to line: inout JSONLine) {
    writeHeaders(response.headers, to: &line)
    writeCookies(response.cookies, to: &line)
    if let location = response.location { write("redirect", location, to: &line) }
    if let body = response.body { write(body, to: &line) }
    if let page = response.page { write("page", page.title, to: &line) }
  }

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

  /// Headers that carry credentials are hidden whatever marks them.
  private mutating func writeHeaders(_ headers: [NamedValue], to line: inout JSONLine) {
    guard !headers.isEmpty else { return }
    let shown = headers.map { header in
      switch header.name {
      case "authorization", "proxy-authorization", "cookie", "set-cookie": header.hidden
      default: header
      }
    }
    write("headers", shown, to: &line)
  }

  private mutating func writeCookies(_ cookies: [NamedValue], to line: inout JSONLine) {
    if !cookies.isEmpty { write("cookies", cookies.map(\.hidden), to: &line) }
  }
}

extension NamedValue {
  /// As a secret of its name.
  fileprivate var hidden: NamedValue {
    guard let text = value.text else { return self }
    return NamedValue(name: name, value: .string(text.hidden(as: name)))
  }
}
