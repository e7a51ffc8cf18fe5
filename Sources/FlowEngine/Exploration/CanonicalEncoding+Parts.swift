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
    let (waiting, first) = (whole.stores.waiting, Place.services(of: snapshot))
    let count = places.count - waiting.count
    let most = count + old.count + new.count + whole.size
    var words: [UInt64] = []
    swap(&words, &self.words)
    defer { swap(&words, &self.words) }
    while words.count < most { words.append(0) }
    var room = words.mutableSpan
    var (kept, left, next) = (0, 0, count)
    for index in places.indices {
      if left < waiting.count, first + waiting[left] == index {
        left += 1
        continue
      }
      let place = places[index]
      room[kept] = place == Place.none ? 0 : UInt64(next)
      kept += 1
      if place == Place.none { continue }
      if place < 0 {
        new.words.copyPart(at: ~place, to: &room, &next)
      } else {
        old.copyPart(at: Int(old[place]), to: &room, &next)
      }
    }
    whole.copy(to: &room, next)
    dropRowsLeftOut(from: &snapshot, old)
    return EncodedSnapshot(snapshot, Array(words[..<(next + whole.size)]), count: count, whole, past: past)
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
