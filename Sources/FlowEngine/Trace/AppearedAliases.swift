/// The numbers of aliases in the order in which they appear: what is known beforehand, and never seen, has none.
struct AppearedAliases: Sendable {
  /// By the alias that the table has.
  private var shown: [String: String] = [:]
  private var counts: [Substring: Int] = [:]

  /// What stands in a trace for an alias of the table: `<token#1>` for the first `<token#…>`, whichever that is.
  mutating func shown(_ alias: String) -> String {
    if let known = shown[alias] { return known }
    let new: String
    if let inner = alias.firstIndex(of: "("), alias.hasSuffix(")>") {
      // Of `<s256(verifier#1)>` the number is that of what it was made of.
      let argument = shown("<\(alias[alias.index(after: inner)...].dropLast(2))>")
      new = "\(alias[...inner])\(argument.dropFirst().dropLast()))>"
    } else {
      let name = alias.prefix { $0 != "#" }
      counts[name, default: 0] += 1
      new = "\(name)#\(counts[name, default: 0])>"
    }
    shown[alias] = new
    return new
  }
}
