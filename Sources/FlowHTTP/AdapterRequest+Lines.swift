import FlowInterpreter

extension AdapterRequest {
  /// The headers as libcurl takes them; nothing that could end one early, or say where the request ends, goes out.
  var headerLines: [String] {
    get throws(AdapterFailure) {
      guard ["GET", "POST", "PUT", "PATCH", "DELETE"].contains(method) else {
        throw AdapterFailure(.unreachable, reason: "the method is not one that is known")
      }
      var lines: [String] = []
      for header in headers {
        guard !header.name.isEmpty, header.name.utf8.allSatisfy(\.isTokenCharacter) else {
          throw AdapterFailure(.unreachable, reason: "the name of a header is not one")
        }
        guard !["content-length", "transfer-encoding"].contains(header.name.lowercased()) else {
          throw AdapterFailure(.unreachable, reason: "the header \(header.name) is the adapter's to set")
        }
        guard header.value.utf8.allSatisfy({ ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }) else {
          throw AdapterFailure(.unreachable, reason: "the value of header \(header.name) holds a control character")
        }
        let isEmpty = header.value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
        lines.append(isEmpty ? "\(header.name);" : "\(header.name): \(header.value)")
      }
      return lines
    }
  }
}
