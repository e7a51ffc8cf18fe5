import Expressions
import FlowEngine
import FlowSpec

extension Variety {
  /// As expressions name it.
  var place: String { (isMemory ? "memory." : "store.") + key.name }

  /// How it makes an exploration long.
  var finding: String {
    ahead.map { "an instant in it lies \($0.inUnits) ahead" } ?? counted(values, "value")
  }

  /// What makes the values fewer.
  var advice: String {
    if ahead != nil { return "let it lie nearer, or let a \"sometimes\" bring what comes then" }
    if isGrowing, let name = identifiers.first {
      return
        "rows that newId('\(name)') names stay until they are cleared; those that fresh('\(name)') names are forgotten "
        + "once nobody can name them"
    }
    if key.field.type != .timestamp, 2 * timeless <= values {
      return "compare fewer of its instants with \"now\", or let a \"sometimes\" bring what comes then"
    }
    if key.isTable {
      return "clear rows when they are done with"
        + (mayDropRows || isMemory ? "" : "; none is forgotten, since they are counted or gone through")
    }
    if let bound {
      // Fewer than three make no count.
      let words = "it is compared with \(bound.setting.map { "config.\($0)" } ?? "\(bound.number)") already"
      return words + (bound.number > 2 ? ": where that ends its growth, a smaller number leaves fewer values" : "")
    }
    switch key.field.type {
    case .int, .double: return "let it grow no further than matters, as with \"when\": \"\(place) < 2\""
    case .duration: return "let it grow no further than matters, as with \"when\": \"\(place) < duration('1m')\""
    case .timestamp: return "clear it when it is past, or compare fewer instants with \"now\""
    default: return "clear it when nobody needs it any more, or keep less in it"
    }
  }
}
