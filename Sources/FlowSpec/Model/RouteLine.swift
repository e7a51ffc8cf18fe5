/// `POST /devices/{id}/refresh`, as routes, faults and messages write it.
enum RouteLine {
  static func parse(_ line: String) -> (method: String, path: PathPattern)? {
    guard let blank = line.utf8.firstIndex(of: UInt8(ascii: " ")) else { return nil }
    let method = String(line[..<blank])
    let rest = line[line.utf8.index(after: blank)...]
    guard ["GET", "POST", "PUT", "PATCH", "DELETE"].contains(method), rest.utf8.first == UInt8(ascii: "/"),
      let path = PathPattern(String(rest))
    else { return nil }
    return (method, path)
  }
}
