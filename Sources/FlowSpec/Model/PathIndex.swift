import Expressions

/// Finds among many patterns those that may match a path, without looking at each of them.
struct PathIndex: Sendable {
  /// Those of one kind that have as many segments.
  private struct Group: Sendable {
    var all: [Int] = []
    /// For each segment of the paths.
    var segments: [SegmentIndex] = []
  }
  private struct Key: Hashable {
    let kind: String
    let count: Int
  }
  /// So few are looked through as fast as they are looked up.
  static let few = 16

  /// Of a few patterns each, and then there are no groups.
  private var keys: [Key] = []
  private var groups: [Key: Group] = [:]
  private var longest = 0

  /// Of patterns with their kinds: the method of a route, the origin of a link.
  init(_ patterns: [(kind: String, segments: [PathPattern.Segment])]) {
    longest = patterns.map(\.segments.count).max() ?? 0
    if patterns.count <= Self.few {
      keys = patterns.map { Key(kind: $0.kind, count: $0.segments.count) }
      return
    }
    for (index, (kind, segments)) in patterns.enumerated() {
      let key = Key(kind: kind, count: segments.count)
      var group = groups.removeValue(forKey: key) ?? Group()
      if group.all.isEmpty { group.segments = segments.map { _ in SegmentIndex() } }
      group.all.append(index)
      for (number, segment) in segments.enumerated() { group.segments[number].add(segment, of: index) }
      groups[key] = group
    }
  }

  /// Lists of patterns, each in order, among which are all that match such a path; `text` gives what is written out of a
  /// segment, `nil` where anything may stand.
  func candidates(_ kind: String, _ count: Int, text: (Int) -> String?) -> [[Int]] {
    let key = Key(kind: kind, count: count)
    guard keys.isEmpty else { return [keys.indices.filter { keys[$0] == key }] }
    guard let group = groups[key] else { return [] }
    var (best, least) = ([group.all], group.all.count)
    // What stands last tells most of them apart.
    for number in (0..<count).reversed() {
      guard least > Self.few, let text = text(number) else { continue }
      let found = group.segments[number].patterns(for: text)
      let sum = found.reduce(0) { $0 + $1.count }
      if sum < least { (best, least) = (found, sum) }
    }
    return best
  }

  /// The same for a path of which the start alone may be known, and segments in part.
  func candidates(_ kind: String, _ path: [String], isWhole: Bool) -> [[Int]] {
    (path.count...(isWhole ? path.count : max(path.count, longest))).flatMap { count in
      candidates(kind, count) {
        $0 < path.count && !path[$0].contains(WrittenOutAddress.unknown) ? path[$0] : nil
      }
    }
  }
}

/// Patterns by what stands in one of their segments.
private struct SegmentIndex: Sendable {
  private var literals: [String: [Int]] = [:]
  /// Those that have a variable there, by what stands before it.
  private var starts: [[UInt8]: [Int]] = [:]
  private var lengths: Set<Int> = []

  mutating func add(_ segment: PathPattern.Segment, of pattern: Int) {
    switch segment {
    case .literal(let text): literals[text, default: []].append(pattern)
    case .variable(_, let before, _):
      starts[Array(before.utf8), default: []].append(pattern)
      lengths.insert(before.utf8.count)
    }
  }

  func patterns(for text: String) -> [[Int]] {
    let start = Array(text.utf8.prefix(lengths.max() ?? 0))
    let varied = lengths.compactMap { $0 <= start.count ? starts[Array(start.prefix($0))] : nil }
    return (literals[text].map { [$0] } ?? []) + varied
  }
}
