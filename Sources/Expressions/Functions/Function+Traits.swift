extension Function {
  /// What is known of the calls of a function before they run.
  struct Traits: Sendable {
    /// What it looks into, which nothing that is fresh allows.
    var looks = Looks.nowhere
    /// What its result has of what is fresh in what it takes.
    var freshness = Passing.nothing
    /// Whether the text that it makes stays within one segment of an address.
    var segment = Segment.unknown
    /// It tells no more of what it is called on than whether it is there, how long it is, or what can be made of it.
    var asksOnly = false
    /// What it makes of a text shows what that says, and carries no mark of a secret.
    var showsText = false
    /// What it makes of a secret is none.
    var endsSecrets = false
    /// It makes a hash.
    var isHash = false
    /// It hands on what it takes as it is.
    var handsOn = false
    /// It holds its second text against the first.
    var compares = false
    /// It reads what is written out when it is compiled, and a mistake in that is told then.
    var readsWritten = false
    /// CEL lets it take a time zone, too.
    var takesTimeZone = false
    /// It reads the claims of a token, as they came.
    var opensToken = false
    /// It makes a token, with instants in it.
    var makesToken = false
    /// What a place has to grant for it to be called.
    var needs: Scope.Abilities = []
    /// What a place has to grant for it to be called with an instant.
    var needsForInstants: Scope.Abilities = []
    /// Help for who calls it with something of another type.
    var help: String?
  }

  /// What a function looks into among its arguments: order, length, what stands there.
  enum Looks: Sendable {
    case nowhere
    case intoFirst
    /// Into all that are texts.
    case intoTexts
    /// Into the first, at its ends alone: where a part of it is fresh these may be known.
    case intoEnds
    /// Into the end of the first that is compared with the second.
    case intoComparedEnd
  }

  /// How much of the result of a function is fresh where something is that it takes.
  enum Passing: Sendable {
    case nothing
    /// As much as of the first.
    case asFirst
    /// A part.
    case part
    /// All of it.
    case whole
  }

  /// Whether the text that a function makes has no "/", "?" and "#".
  enum Segment: Sendable {
    /// It may have one.
    case unknown
    /// It has none, whatever it is made of.
    case always
    /// It has none where what it is made of has none.
    case ofArguments
  }

  /// Whether it asks something, and makes nothing.
  var asks: Bool { if case .make = work { false } else { true } }

  /// Whether what it makes of a secret is secret.
  var keepsSecrets: Bool { result.carriesText && !traits.endsSecrets }
}
