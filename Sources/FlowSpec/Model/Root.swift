import Expressions

/// The roots of every frame: `Frame.roots[Root.store.rawValue][key]`.
package enum Root: Int, Sendable, CaseIterable {
  /// One slot a key, as `Machine.store` counts them.
  case store
  case memory
  case config
  /// `native`, `online`, `platform`.
  case device
  /// One slot a field of the event.
  case event
  /// `status headers json text challenge redirect failure`.
  case response
  /// Of `perform`: its result fields, then `failure`. Of `call` and of a request with `retry`: `ended`.
  case result
  /// `method path query headers cookies bearer json form text`; `path` is an object of the route's variables.
  case request
  /// One slot.
  case now
  /// In a capability's example: its input fields.
  case input

  /// What a frame begins with: what is known of the device, and the clock.
  package static func slots(device: [Value], now: Timestamp) -> [[Value]] {
    [[], [], [], device, [], [], [], [], [.timestamp(now)], []]
  }
}
