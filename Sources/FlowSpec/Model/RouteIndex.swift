import Expressions

/// Finds the routes of a model that may take a path without looking at each of them.
struct RouteIndex: Sendable {
  /// Those of one method whose paths have as many segments.
  private struct Group: Sendable {
    /// All of them, as one list.
    var all: [[Int]] = [[]]
    /// For each segment of the paths.
    var segments: [SegmentIndex] = []
  }
  private struct Key: Hashable {
    let method: String
    let count: Int
  }
  private var groups: [Key: Group] = [:]

  init(_ routes: [Route]) {
    for (index, route) in routes.enumerated() {
      let path = route.path.segments
      var group = groups.removeValue(forKey: Key(method: route.method, count: path.count)) ?? Group()
      if group.all[0].isEmpty { group.segments = path.map { _ in SegmentIndex() } }
      group.all[0].append(index)
      for (number, segment) in path.enumerated() { group.segments[number].add(segment, of: index) }
      groups[Key(method: route.method, count: path.count)] = group
    }
  }

  /// Lists of routes, each in document order, among which are all that take such a path; `text` gives what is written out
  /// of a segment, `nil` where anything may stand.
  func candidates(_ method: String, _ count: Int, text: (Int) -> String?) -> [[Int]] {
    guard let group = groups[Key(method: method, count: count)] else { return [] }
    // A few are looked at as soon as what they are looked up by.
    var (best, least) = (group.all, group.all[0].count)
    // What stands last tells most of them apart.
    for number in (0..<count).reversed() {
      guard least > 8, let text = text(number) else { continue }
      let found = group.segments[number].routes(for: text)
      let sum = found.reduce(0) { $0 + $1.count }
      if sum < least { (best, least) = (found, sum) }
    }
    return best
  }
}

/// Routes by what stands in one segment of their paths.
private struct SegmentIndex: Sendable {
  private var literals: [String: [Int]] = [:]
  /// Those that have a variable there, by what stands before it.
  private var starts: [[UInt8]: [Int]] = [:]
  private var lengths: Set<Int> = []

  mutating func add(_ segment: PathPattern.Segment, of route: Int) {
    switch segment {
    case .literal(let text): literals[text, default: []].append(route)
    case .variable(_, let before, _):
      starts[Array(before.utf8), default: []].append(route)
      lengths.insert(before.utf8.count)
    }
  }

  func routes(for text: String) -> [[Int]] {
    let start = Array(text.utf8.prefix(lengths.max() ?? 0))
    let varied = lengths.compactMap { $0 <= start.count ? starts[Array(start.prefix($0))] : nil }
    return (literals[text].map { [$0] } ?? []) + varied
  }
}
