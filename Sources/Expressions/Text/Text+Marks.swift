extension Text {
  package var isEmpty: Bool {
    switch form {
    case .plain(let plain): plain.length == 0
    // An origin has a name or something fresh in it.
    case .whole: false
    case .mixed(let mixed): mixed.string.isEmpty
    }
  }

  @inlinable
  package var isPlain: Bool { if case .plain = form { true } else { false } }

  package var isSecret: Bool { firstSecret != nil }

  /// What the text of a real server's answer is marked as: it is hidden because nobody knows what is in it, and a number
  /// may be made of a part of it all the same.
  package static let unknownSecret = "response.text"

  /// Whether a secret is in it of which is known that it is one.
  var isKnownSecret: Bool {
    switch form {
    case .plain: false
    case .whole(let whole): whole.secret.map { $0 != Self.unknownSecret } ?? false
    case .mixed(let mixed):
      mixed.spans.contains { if case .secret(let name) = $0.kind { name != Self.unknownSecret } else { false } }
    }
  }

  /// Whether one secret covers it from end to end.
  package var isWhollySecret: Bool {
    switch form {
    case .plain: false
    case .whole(let whole): whole.secret != nil
    case .mixed(let mixed): mixed.isCovered
    }
  }

  /// Whether something in it was made by a run, as a fresh value or an id, or is made of such: what is not looked into.
  package var hasOrigin: Bool {
    switch form {
    case .plain: false
    case .whole: true
    case .mixed(let mixed): mixed.spans.contains { if case .origin = $0.kind { true } else { false } }
    }
  }

  /// The origin, when one covers the whole text.
  package var wholeOrigin: Origin? {
    switch form {
    case .plain: return nil
    case .whole(let whole): return whole.origin
    case .mixed(let mixed):
      for span in mixed.spans where span.range == 0..<mixed.string.utf8.count {
        if case .origin(let origin) = span.kind { return origin }
      }
      return nil
    }
  }

  /// The origin of a text that is one from end to end, and the name of the secret that it is; `nil` for any other.
  package var whole: (origin: Origin, secret: String?)? {
    if case .whole(let whole) = form { (whole.origin, whole.secret) } else { nil }
  }

  /// The name of the first secret in it.
  package var firstSecret: String? {
    switch form {
    case .plain: return nil
    case .whole(let whole): return whole.secret
    case .mixed(let mixed):
      for span in mixed.spans { if case .secret(let name) = span.kind { return name } }
      return nil
    }
  }

  /// The same text, secret from end to end.
  ///
  /// A text that one secret covers already keeps that name; an empty text stays.
  package func marked(secret name: String) -> Text {
    switch form {
    case .plain(let plain):
      guard plain.length > 0 else { return self }
      return Text(string: plain.string, spans: [Span(range: 0..<plain.length, kind: .secret(name: name))])
    case .whole(let whole): return whole.secret == nil ? Text(Whole(whole, secret: name)) : self
    case .mixed(let mixed): return mixed.marked(secret: name) ?? self
    }
  }

  /// The same text without secret marks; origins stay.
  ///
  /// Only for what ends secrecy by definition, like `s256`.
  func unmarked() -> Text {
    switch form {
    case .plain: self
    case .whole(let whole): whole.secret == nil ? self : Text(Whole(whole, secret: nil))
    case .mixed(let mixed):
      Text(string: mixed.string, spans: mixed.spans.filter { if case .secret = $0.kind { false } else { true } })
    }
  }

  /// The same text, secret from end to end if one of the others is somewhere; else like the first in them that is no secret
  /// and not shown.
  package func markedWhole(like others: Text...) -> Text {
    for name in others.compactMap(\.firstSecret) { return marked(secret: name) }
    for kind in others.compactMap(\.firstHidden) { return marked(as: kind) }
    return self
  }

  /// The first in it that is no secret, and not shown: a digest, or what was fresh in an earlier session.
  var firstHidden: Span.Kind? {
    guard case .mixed(let mixed) = form else { return nil }
    return mixed.spans.first(where: \.kind.isHiddenAlone)?.kind
  }

  /// The same text as what was made of a digest or its like; what is fresh shows nothing as it is.
  func marked(as kind: Span.Kind) -> Text {
    guard isPlain, !isEmpty else { return self }
    return Text(string: string, spans: [Span(range: 0..<string.utf8.count, kind: kind)])
  }
}

extension Text.Span.Kind {
  fileprivate var isHiddenAlone: Bool {
    switch self {
    case .digest, .kept: true
    case .secret, .origin: false
    }
  }
}

extension Text.Mixed {
  fileprivate var origins: [Text.Span] { spans.filter { if case .origin = $0.kind { true } else { false } } }

  fileprivate var isCovered: Bool {
    let whole = 0..<string.utf8.count
    return spans.contains { span in
      if case .secret = span.kind { span.range == whole } else { false }
    }
  }

  /// `nil` when one secret covers it already, and when it is empty.
  fileprivate func marked(secret name: String) -> Text? {
    let whole = 0..<string.utf8.count
    guard !whole.isEmpty, !isCovered else { return nil }
    return Text(string: string, spans: [Text.Span(range: whole, kind: .secret(name: name))] + origins)
  }
}
