import Expressions
import FlowSpec

extension CanonicalEncoding {
  mutating func add(_ request: Request) {
    writer.text(request.method)
    writer.int(request.service)
    add(request.origin)
    add(request.path)
    add(request.query)
    add(request.headers)
    add(request.bearer)
    add(request.cookies)
    add(request.body)
  }

  private mutating func add(_ body: Body?) {
    switch body {
    case nil: writer.word(0)
    case .json(let value)?:
      writer.word(1)
      add(value)
    case .form(let fields)?:
      writer.word(2)
      add(fields)
    case .text(let text)?:
      writer.word(3)
      add(text)
    }
  }

  mutating func add(_ answer: Answer) {
    switch answer {
    case .failure(let failure, let reason):
      writer.word(0)
      writer.text(failure.rawValue)
      add(plain: reason)
    case .response(let response):
      writer.word(1)
      add(response)
    }
  }

  private mutating func add(_ response: Response) {
    writer.int(response.status)
    add(response.headers)
    add(response.cookies)
    add(response.body)
    writer.word((response.page == nil ? 0 : 1) | (response.location == nil ? 0 : 2))
    if let page = response.page { add(page) }
    if let location = response.location {
      add(location)
      add(response.writtenLocation)
    }
  }

  mutating func add(_ tab: Browser.Tab) {
    writer.int(tab.redirects)
    switch tab.content {
    case .loading(let number):
      writer.word(0)
      writer.int(index(ofFlight: number))
    case .page(let page):
      writer.word(1)
      add(page)
    case .unreachable(let asked):
      writer.word(2)
      add(asked.location)
      writer.text(asked.method)
      writer.word(asked.form == nil ? 0 : 1)
      if let form = asked.form { add(form) }
    case .outside(let location):
      writer.word(3)
      add(location)
    }
  }

  /// Fields, titles and refs stand in the model; which page it is says them.
  mutating func add(_ page: ShownPage) {
    writer.int(page.service)
    writer.int(page.key)
    add(page.title)
    add(page.text)
    writer.int(page.forms.count)
    for form in page.forms {
      writer.text(form.name)
      add(form.target)
      writer.int(form.examples.count)
      for example in form.examples { add(example) }
    }
    writer.int(page.links.count)
    for link in page.links {
      writer.text(link.name)
      add(link.target)
    }
  }

  mutating func add(_ location: Location) {
    switch location.base {
    case .service(let service):
      writer.word(0)
      writer.int(service)
    case .elsewhere(let origin):
      writer.word(location.isRootless ? 2 : 1)
      add(origin)
    }
    add(location.origin)
    add(location.path)
    add(location.query)
  }

  private mutating func add(_ path: [Text]) {
    writer.int(path.count)
    for segment in path { add(segment) }
  }

  /// The model says a mail's refs by its name and sender.
  mutating func add(_ mail: Mail) {
    writer.text(mail.name)
    writer.int(mail.from)
    add(mail.to)
    add(mail.subject)
    add(mail.text)
    writer.int(mail.links.count)
    for link in mail.links {
      writer.text(link.name)
      add(link.location)
    }
  }
}
