import Expressions

extension Snapshot {
  /// Becomes another snapshot; what both share stays untouched, which is most where one came from the other.
  ///
  /// Everything that a snapshot has is named here and below.
  mutating func become(_ other: Snapshot) {
    now = other.now
    device = other.device
    app.become(other.app)
    if !services.isIdentical(to: other.services) { services = other.services }
    if !flights.isIdentical(to: other.flights) { flights = other.flights }
    if !exchanges.isIdentical(to: other.exchanges) { exchanges = other.exchanges }
    if browser.tab != nil || other.browser.tab != nil { browser.tab = other.browser.tab }
    if !browser.jar.isIdentical(to: other.browser.jar) { browser.jar = other.browser.jar }
    if !inbox.isIdentical(to: other.inbox) { inbox = other.inbox }
    mint = other.mint
    (flightsMade, transitionsNow) = (other.flightsMade, other.transitionsNow)
  }
}

extension App {
  fileprivate mutating func become(_ other: App) {
    if !config.isIdentical(to: other.config) { config = other.config }
    if !store.isIdentical(to: other.store) { store = other.store }
    if run?.isIdentical(to: other.run) != true { run = other.run }
    if ended != nil || other.ended != nil { ended = other.ended }
    if !offers.isIdentical(to: other.offers) { offers = other.offers }
    unheard = other.unheard
  }
}

extension MachineRun {
  fileprivate func isIdentical(to other: MachineRun?) -> Bool {
    guard let other else { return false }
    return memory.isIdentical(to: other.memory) && levels.isIdentical(to: other.levels)
  }
}
