import Expressions

extension Snapshot {
  /// Gives the app, before anything happened, a store that an earlier run kept.
  ///
  /// Everything else begins anew, servers too: they must not take an old token for one of their own.
  mutating func restore(_ store: [Value]) {
    precondition(store.count == app.store.count, "A store has a value for each key.")
    app.store = store
    mint = Mint(behind: store)
  }
}
