extension Function {
  /// The parts of timestamps and durations, in UTC (CEL specification, "List of Standard Definitions").
  static let accessors: [Function] = [
    accessor("getFullYear") { $0.calendarDate.year },
    accessor("getMonth") { $0.calendarDate.month - 1 },
    accessor("getDate") { $0.calendarDate.day },
    accessor("getDayOfMonth") { $0.calendarDate.day - 1 },
    accessor("getDayOfWeek") { $0.dayOfWeek },
    accessor("getDayOfYear") { $0.dayOfYear },
    accessor("getHours", of: .seconds(3600)) { $0.secondOfDay / 3600 },
    accessor("getMinutes", of: .seconds(60)) { $0.secondOfDay / 60 % 60 },
    accessor("getSeconds", of: .seconds(1)) { $0.secondOfDay % 60 },
    accessor("getMilliseconds", of: .milliseconds(1)) { Int($0.nanoseconds / 1_000_000) },
  ]

  private static func accessor(
    _ name: String, of unit: Duration? = nil, _ part: @escaping @Sendable (Timestamp) -> Int
  ) -> Function {
    let shape: Shape = unit == nil ? .timestamp : [.timestamp, .duration]
    return Function(name, [shape], .int, Traits(takesTimeZone: true)) { arguments, range throws(EvaluationError) in
      switch arguments[0] {
      case .timestamp(let instant): return .int(Int64(part(instant)))
      case .duration(let duration):
        guard let unit else { throw .noOverload(name, arguments[0], at: range) }
        return .int(duration.count(of: unit))
      default: throw .noOverload(name, arguments[0], at: range)
      }
    }
  }
}
