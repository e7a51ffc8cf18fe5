/// Where each of some texts stands first.
struct FirstSites {
  /// So few are found faster by looking at them than by their hashes.
  private static let few = 16

  private var texts: [String] = []
  private var sites: [Site] = []
  /// Where each stands among these; empty as long as they are few.
  private var places: [String: Int] = [:]

  /// Takes note of a text, and tells where the same stood before; `nil` for nowhere.
  mutating func note(_ text: String, at site: Site) -> Site? {
    if let known = self.site(of: text) { return known }
    if texts.count == Self.few { places = Dictionary(uniqueKeysWithValues: zip(texts, texts.indices)) }
    if texts.count >= Self.few { places[text] = texts.count }
    texts.append(text)
    sites.append(site)
    return nil
  }

  /// Where a text stood first; `nil` for nowhere.
  func site(of text: String) -> Site? {
    (places.isEmpty ? texts.firstIndex(of: text) : places[text]).map { sites[$0] }
  }
}
