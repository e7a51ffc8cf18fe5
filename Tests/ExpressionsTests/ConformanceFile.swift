#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Finds `shared/cel/conformance.json` beside the repository or beside a folder around it.
enum ConformanceFile {
  static func read(from path: String = #filePath) -> [UInt8]? {
    var folders = path.split(separator: "/")
    while !folders.isEmpty {
      folders.removeLast()
      let candidate = "/" + (folders + ["shared", "cel", "conformance.json"]).joined(separator: "/")
      if let bytes = contents(of: candidate) { return bytes }
    }
    return nil
  }

  static func contents(of path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }
}
