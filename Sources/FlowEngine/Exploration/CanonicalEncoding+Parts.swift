import Expressions

extension CanonicalEncoding {
  /// Encodes something by itself; the body says how much of what is made stands in the key of a row.
  mutating func part(ofKey key: Int = 0, _ body: (inout CanonicalEncoding) -> Int) -> EncodedPart {
    spare.empty()
    swap(&scope, &spare)
    let madeInKey = body(&self)
    swap(&scope, &spare)
    return EncodedPart(spare, key: key, madeInKey: madeInKey)
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
  mutating func part(of request: Request, after base: EncodedSnapshot?) -> EncodedPart {
    if let base {
      for index in base.snapshot.flights.indices where base.snapshot.flights[index].request === request {
        let known = base.parts.requests[index]
        if known.holds(past: past) { return known }
      }
    }
    return part {
      $0.add(request)
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
