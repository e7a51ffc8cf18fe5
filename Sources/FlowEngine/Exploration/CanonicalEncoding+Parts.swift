import Expressions

extension CanonicalEncoding {
  /// Encodes a part by itself, or takes it over from a snapshot before in which it is the same.
  @inline(__always)
  mutating func place(_ place: Int, of base: EncodedSnapshot?, _ body: (inout CanonicalEncoding) -> Void) {
    takeOver(place, of: base) { $0.make(body) }
  }

  /// Takes a part over as it was in a snapshot before, or as it has become since; makes it where it is neither.
  @inline(__always)
  mutating func takeOver(_ place: Int, of base: EncodedSnapshot?, _ make: (inout CanonicalEncoding) -> Void) {
    guard let base, base.past <= past else { return make(&self) }
    let start = base.words[place]
    if base.holds(place..<place + 1, past, parts) { return places.append(start) }
    let key = parts.key(of: start, at: past)
    if let known = parts.later[key] { return places.append(UInt64(known)) }
    make(&self)
    parts.later.add(key, number: Int(places[places.count - 1]))
  }

  @inline(__always)
  mutating func make(_ body: (inout CanonicalEncoding) -> Void) {
    part.empty()
    body(&self)
    places.append(parts.place(of: part))
  }

  /// The snapshot that was encoded just now, without the rows that were left out: what goes on from it need not carry them.
  mutating func keep(_ snapshot: consuming Snapshot) -> EncodedSnapshot {
    dropRowsLeftOut(from: &snapshot)
    var words: [UInt64] = []
    words.reserveCapacity(places.count + whole.services.made + 2 * whole.services.instants)
    words += places
    words.append(whole.all.made)
    words.append(whole.all.instants)
    return EncodedSnapshot(snapshot, words, count: places.count, self)
  }

  /// A snapshot whose parts are known: where they begin anew, or did since it was encoded, it is so once more.
  mutating func renewed(_ snapshot: EncodedSnapshot) -> EncodedSnapshot {
    snapshot.age == parts.age && !areTooMany ? snapshot : encoded(snapshot.snapshot)
  }

  /// To be called where no snapshot is gone on from: what is remembered of parts may begin anew.
  mutating func encoded(_ snapshot: Snapshot) -> EncodedSnapshot {
    if areTooMany {
      (parts, whole.stores, recent) = (EncodedParts(age: parts.age + 1), EncodedStores(), RecentStores())
    }
    encode(snapshot, after: nil)
    return keep(snapshot)
  }

  private var areTooMany: Bool { parts.words.count > most || whole.stores.size > most / 8 }

  mutating func place(_ browser: Browser, after base: EncodedSnapshot?) {
    if let tab = browser.tab {
      place(PartIndex.tab, of: base?.snapshot.browser.tab?.showsPage(of: tab) == true ? base : nil) { $0.add(tab) }
    } else {
      places.append(PartIndex.none)
    }
    guard !browser.jar.isEmpty else { return places.append(PartIndex.none) }
    let isSame = base?.snapshot.browser.jar.isIdentical(to: browser.jar) ?? false
    place(PartIndex.jar, of: isSame ? base : nil) { encoding in
      for cookie in browser.jar {
        encoding.writer.int(cookie.service)
        encoding.writer.text(cookie.name)
        encoding.add(cookie.value)
      }
    }
  }

  /// Whether a mail was opened, no step asks.
  mutating func place(inbox: [Mail], after base: EncodedSnapshot?) {
    guard !inbox.isEmpty else { return places.append(PartIndex.none) }
    let isSame = base?.snapshot.inbox.isIdentical(to: inbox) ?? false
    place(PartIndex.inbox, of: isSame ? base : nil) { encoding in for mail in inbox { encoding.add(mail) } }
  }
}

extension Browser.Tab {
  /// Whether both show the very same page.
  fileprivate func showsPage(of other: Browser.Tab) -> Bool {
    guard case .page(let page) = content, case .page(let otherPage) = other.content else { return false }
    return page === otherPage && redirects == other.redirects
  }
}
