import Expressions
import FlowSpec
import JSONSyntax

extension TraceWriter {
  /// `number` pairs a request with its answer.
  mutating func write(_ sent: RequestSent, refs: [String]) {
    let request = sent.request
    begin(.request, from: sent.from, to: sent.to, refs: refs)
    line.member("number", sent.number)
    if sent.attempt > 1 { line.member("attempt", sent.attempt) }
    line.name("request")
    line.beginString()
    line.part(request.method)
    line.part(" ")
    writePath(request.path)
    line.endString()
    write("query", request.query)
    writeHeaders(request.headers)
    if let bearer = request.bearer { write("bearer", bearer.hidden(as: "bearer")) }
    writeCookies(request.cookies)
    switch request.body {
    case nil: break
    case .json(let value): write("json", value)
    case .form(let fields): write("form", fields)
    case .text(let text): write("text", text)
    }
  }

  /// `reply` is the name of the transition of the model that replied.
  mutating func write(_ arrived: AnswerArrived, refs: [String]) {
    begin(.answer, from: arrived.from, to: arrived.to, refs: refs)
    line.member("number", arrived.number)
    switch arrived.answer {
    case .failure(let failure, let reason):
      line.member("failure", failure.rawValue)
      line.member("reason", reason)
    case .response(let response):
      line.member("status", response.status)
      line.member("reply", arrived.reply)
      write(response)
    }
    line.flag("dropped", arrived.fate == .dropped)
  }

  private mutating func write(_ response: Response) {
    writeHeaders(response.headers)
    writeCookies(response.cookies)
    if let location = response.location { write("redirect", location) }
    switch response.body {
    case nil: break
    case .json(let value): write("json", value)
    case .form(let fields): write("form", fields)
    case .text(let text): write("text", text)
    case .page(let page): write("page", page.title)
    }
  }

  /// Headers that carry credentials are hidden whatever marks them.
  private mutating func writeHeaders(_ headers: [NamedValue]) {
    guard !headers.isEmpty else { return }
    let shown = headers.map { header in
      switch header.name {
      case "authorization", "proxy-authorization", "cookie", "set-cookie": header.hidden
      default: header
      }
    }
    write("headers", shown)
  }

  private mutating func writeCookies(_ cookies: [NamedValue]) {
    if !cookies.isEmpty { write("cookies", cookies.map(\.hidden)) }
  }
}

extension NamedValue {
  /// As a secret of its name.
  fileprivate var hidden: NamedValue {
    guard let text = value.text else { return self }
    return NamedValue(name: name, value: .string(text.hidden(as: name)))
  }
}
