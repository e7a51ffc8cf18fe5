import Expressions

/// An address as far as documents say it, up to its query, and as a run compares it.
struct WrittenOutAddress {
  /// Stands for what is known in a run alone and surely is within one segment.
  static let unknown: Character = "\0"

  /// Up to what may be anything.
  let text: String
  let isWhole: Bool
  /// All of it, with `{}` for what is known in a run alone.
  let shape: String
}

extension WrittenOutAddress {
  init(_ uri: PlacedTemplate, with config: [ConfigKey], keys: SegmentKeys) {
    var (text, isKnown) = ("", true)
    var shape = ""
    for part in uri.template.parts {
      var written: String?
      switch part {
      case .literal(let literal): written = literal
      case .expression(let expression):
        written = config.first { "config.\($0.name)" == expression.selection }?.value.text?.string
        // Where the host stands it may be any.
        if written == nil, isKnown, text.isInPath, keys.stayInSegment(expression) {
          text.append(Self.unknown)
        } else if written == nil {
          isKnown = false
        }
      }
      shape += written ?? "{}"
      guard isKnown, let written else { continue }
      if written.contains(Self.unknown) { isKnown = false } else { text += written }
    }
    let path = text.prefix { !"?#".contains($0) }
    isWhole = isKnown || path.utf8.count < text.utf8.count
    self.text = normalizedAddress(String(path), isWhole: isWhole)
    self.shape = normalizedAddress(String(shape.prefix { !"?#".contains($0) }), isWhole: isWhole)
  }

  /// The same up to the first part that is known in a run alone.
  var start: WrittenOutAddress {
    let start = text.prefix { $0 != Self.unknown }
    return WrittenOutAddress(
      text: String(start), isWhole: isWhole && start.utf8.count == text.utf8.count, shape: shape)
  }
}

extension String {
  /// Whether it is an address of the web of which the host is all there.
  fileprivate var isInPath: Bool {
    ["https://", "http://"].contains(where: lowercased().hasPrefix) && utf8.count { $0 == UInt8(ascii: "/") } > 2
  }
}

/// The keys of `memory` that only ever hold what is within one segment of an address.
final class SegmentKeys {
  private let actions: [Action]
  private lazy var names: Set<String> = found()

  init(_ examined: Examined) { actions = examined.actions }

  func stayInSegment(_ expression: Expression) -> Bool {
    if expression.staysInSegment { return true }
    guard let copied = expression.copied, copied.count == 2, copied[0] == "memory" else { return false }
    return names.contains(copied[1])
  }

  private func found() -> Set<String> {
    var (names, others) = (Set<String>(), Set<String>())
    for assignment in actions.lazy.flatMap(\.assignments) where assignment.place.area == .memory {
      let name = assignment.place.declared.name
      if assignment.place.row == nil, assignment.value.staysInSegment {
        names.insert(name)
      } else {
        others.insert(name)
      }
      if !assignment.place.declared.initial.isNull { others.insert(name) }
    }
    return names.subtracting(others)
  }
}

extension ValueTemplate {
  /// Whether it is nothing, or a text that an expression makes and that has no "/", "?" or "#".
  fileprivate var staysInSegment: Bool {
    switch self {
    case .literal(let value): value.isNull
    case .template(let placed): placed.template.isAlone && placed.template.expressions.allSatisfy(\.staysInSegment)
    case .list, .object: false
    }
  }
}
