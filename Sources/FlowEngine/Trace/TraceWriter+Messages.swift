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
    line.member("request", "\(request.method) \(shownPath(request.path))")
    write("query", request.query)
    writeHeaders(request.headers)
    if let bearer = request.bearer { line.member("bearer", aliases.shown(bearer.hidden(as: "bearer"))) }
    writeCookies(request.cookies)
    switch request.body {
    case nil: break
    case .json(let value): write("json", value)
    case .form(let fields): write("form", fields)
    case .text(let text): line.member("text", aliases.shown(text))
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
    if let location = response.location { line.member("redirect", shown(location)) }
    switch response.body {
    case nil: break
    case .json(let value): write("json", value)
    case .form(let fields): write("form", fields)
    case .text(let text): line.member("text", aliases.shown(text))
    case .page(let page): line.member("page", aliases.shown(page.title))
    }
  }

  /// Headers that carry credentials are hidden whatever marks them.
  private mutating func writeHeaders(_ headers: [NamedValue]) {
    guard !headers.isEmpty else { return }
    let credentials = ["authorization", "proxy-authorization", "cookie", "set-cookie"]
    let shown = headers.map { header in
      guard credentials.contains(header.name), let text = header.value.text else { return header }
      return NamedValue(name: header.name, value: .string(text.hidden(as: header.name)))
    }
    write("headers", shown)
  }

  private mutating func writeCookies(_ cookies: [NamedValue]) {
    guard !cookies.isEmpty else { return }
    let hidden = cookies.map { cookie in
      guard let text = cookie.value.text else { return cookie }
      return NamedValue(name: cookie.name, value: .string(text.hidden(as: cookie.name)))
    }
    write("cookies", hidden)
  }
}
