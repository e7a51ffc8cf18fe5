import Expressions

extension CanonicalEncoding {
  /// Encodes something by itself; the body says how much of what is made stands in the key of a row.
  mutating func part(ofKey key: Int = 0, _ body: (inout CanonicalEncoding) -> Int) -> EncodedPart {
    var other = Scope()
    swap(&scope, &other)
    let madeInKey = body(&self)
    swap(&scope, &other)
    return EncodedPart(other, key: key, madeInKey: madeInKey)
  }

  mutating func add(_ part: EncodedPart) {
    writer.word(part.fingerprint.first)
    writer.word(part.fingerprint.second)
    for made in part.made {
      if let index = scope.made.firstIndex(of: made) {
        writer.int(index)
      } else {
        writer.int(scope.made.count)
        scope.made.append(made)
      }
    }
    for instant in part.instants { add(stored: instant) }
  }

  /// Values that are encoded already where they are those that they were.
  mutating func add(_ values: [Value], like old: [Value]?, _ known: EncodedPart?) -> EncodedPart {
    let part: EncodedPart
    if let known, let old, old.isIdentical(to: values), known.holds(past: past) {
      part = known
    } else {
      part = self.part {
        $0.add(values)
        return 0
      }
    }
    add(part)
    return part
  }

  /// Of the request of a flight.
  mutating func part(of flight: Flight, after base: EncodedSnapshot?) -> EncodedPart {
    if let base {
      for (index, old) in base.snapshot.flights.enumerated() where old.number == flight.number {
        let known = base.parts.requests[index]
        if old.request.isIdentical(to: flight.request), known.holds(past: past) { return known }
      }
    }
    return part {
      $0.add(flight.request)
      return 0
    }
  }

  mutating func addJar(_ jar: [Browser.Cookie], after base: EncodedSnapshot?) {
    guard !jar.isEmpty else {
      parts.jar = nil
      return writer.word(0)
    }
    let part: EncodedPart
    if let base, let known = base.parts.jar, base.snapshot.browser.jar.isIdentical(to: jar), known.holds(past: past) {
      part = known
    } else {
      part = self.part { encoding in
        encoding.writer.int(jar.count)
        for cookie in jar {
          encoding.writer.int(cookie.service)
          encoding.writer.text(cookie.name)
          encoding.add(cookie.value)
        }
        return 0
      }
    }
    add(part)
    parts.jar = part
  }

  /// Whether a mail was opened, no step asks.
  mutating func add(inbox: [Mail], after base: EncodedSnapshot?) {
    guard !inbox.isEmpty else {
      parts.inbox = nil
      return writer.word(0)
    }
    let part: EncodedPart
    if let base, let known = base.parts.inbox, base.snapshot.inbox.isIdentical(to: inbox), known.holds(past: past) {
      part = known
    } else {
      part = self.part { encoding in
        encoding.writer.int(inbox.count)
        for mail in inbox { encoding.add(mail) }
        return 0
      }
    }
    add(part)
    parts.inbox = part
  }
}

extension Request {
  /// True only for equal requests; false where that does not show at once.
  fileprivate func isIdentical(to other: Request) -> Bool {
    service == other.service && method == other.method && path.isIdentical(to: other.path)
      && query.isIdentical(to: other.query) && headers.isIdentical(to: other.headers)
      && cookies.isIdentical(to: other.cookies) && origin.isIdentical(to: other.origin)
      && bearer.isIdentical(to: other.bearer) && body.isIdentical(to: other.body)
  }
}

extension Text? {
  fileprivate func isIdentical(to other: Text?) -> Bool {
    switch (self, other) {
    case (nil, nil): true
    case (let left?, let right?): left.isIdentical(to: right)
    default: false
    }
  }
}

extension Request.Body? {
  fileprivate func isIdentical(to other: Request.Body?) -> Bool {
    switch (self, other) {
    case (nil, nil): true
    case (.json(let left), .json(let right)): left.isIdentical(to: right)
    case (.form(let left), .form(let right)): left.isIdentical(to: right)
    case (.text(let left), .text(let right)): left.isIdentical(to: right)
    default: false
    }
  }
}
