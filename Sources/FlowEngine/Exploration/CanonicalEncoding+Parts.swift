import Expressions

extension CanonicalEncoding {
  /// Encodes a part by itself, or takes it over from a snapshot before in which it is the same.
  @inline(__always)
  mutating func place(_ place: Int, of base: EncodedSnapshot?, _ body: (inout CanonicalEncoding) -> Void) {
    if let base, base.holds(place..<place + 1, past) {
      places.append(place)
    } else {
      make(body)
    }
  }

  @inline(__always)
  mutating func make(_ body: (inout CanonicalEncoding) -> Void) {
    part.empty()
    body(&self)
    places.append(~new.append(part))
  }

  /// The snapshot that was encoded just now, without the rows that were left out: what goes on from it need not carry them.
  mutating func keep(_ snapshot: consuming Snapshot, after base: EncodedSnapshot?) -> EncodedSnapshot {
    let old = base?.words ?? []
    dropRowsLeftOut(from: &snapshot, old)
    starts.empty()
    var end = places.count
    for index in places.indices {
      starts.append(places[index] == Place.none ? 0 : end)
      if places[index] == Place.none { continue }
      end += places[index] < 0 ? new.words.sizeOfPart(at: ~places[index]) : old.sizeOfPart(at: Int(old[places[index]]))
    }
    var words: [UInt64] = []
    words.reserveCapacity(end + whole.size)
    for index in starts.indices { words.append(UInt64(starts[index])) }
    // Most parts stand behind each other as they did before.
    var (run, isNew) = (0..<0, false)
    for index in places.indices where places[index] != Place.none {
      let start = places[index] < 0 ? ~places[index] : Int(old[places[index]])
      if start != run.upperBound || isNew != (places[index] < 0) {
        words += isNew ? new.words[run] : old[run]
        (run, isNew) = (start..<start, places[index] < 0)
      }
      run = run.lowerBound..<start + (isNew ? new.words.sizeOfPart(at: start) : old.sizeOfPart(at: start))
    }
    words += isNew ? new.words[run] : old[run]
    whole.copy(to: &words)
    return EncodedSnapshot(snapshot, words, count: places.count, whole, past: past)
  }

  /// Where a part of the snapshot is kept.
  func place(at index: Int, _ old: [UInt64]) -> EncodedParts.Place {
    places[index] < 0
      ? EncodedParts.Place(~places[index], in: new.words) : EncodedParts.Place(Int(old[places[index]]), in: old)
  }

  mutating func place(_ browser: Browser, after base: EncodedSnapshot?) {
    if let tab = browser.tab {
      place(Place.tab, of: base?.snapshot.browser.tab?.showsPage(of: tab) == true ? base : nil) { $0.add(tab) }
    } else {
      places.append(Place.none)
    }
    guard !browser.jar.isEmpty else { return places.append(Place.none) }
    let isSame = base?.snapshot.browser.jar.isIdentical(to: browser.jar) ?? false
    place(Place.jar, of: isSame ? base : nil) { encoding in
      for cookie in browser.jar {
        encoding.writer.int(cookie.service)
        encoding.writer.text(cookie.name)
        encoding.add(cookie.value)
      }
    }
  }

  /// Whether a mail was opened, no step asks.
  mutating func place(inbox: [Mail], after base: EncodedSnapshot?) {
    guard !inbox.isEmpty else { return places.append(Place.none) }
    let isSame = base?.snapshot.inbox.isIdentical(to: inbox) ?? false
    place(Place.inbox, of: isSame ? base : nil) { encoding in for mail in inbox { encoding.add(mail) } }
  }
}

extension Browser.Tab {
  /// Whether both show the very same page.
  fileprivate func showsPage(of other: Browser.Tab) -> Bool {
    guard case .page(let page) = content, case .page(let otherPage) = other.content else { return false }
    return page === otherPage && redirects == other.redirects
  }
}
