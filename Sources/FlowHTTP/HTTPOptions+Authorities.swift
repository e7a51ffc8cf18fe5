#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension HTTPOptions {
  /// What is wrong with the file of certificate authorities, as a sentence without a full stop; `nil` for nothing that
  /// can be told before a TLS library takes it.
  ///
  /// A certificate stands between two lines that say so (RFC 7468); whatever else stands in the file is no matter.
  package var problemWithAuthorities: String? {
    guard let path = certificateAuthority else { return nil }
    guard let file = fopen(path, "r") else { return "the file of certificate authorities cannot be read: \(path)" }
    defer { fclose(file) }
    var buffer = [CChar](repeating: 0, count: 256)
    var hasBegun = false
    while fgets(&buffer, Int32(buffer.count), file) != nil {
      let line = buffer.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
      // "X509 CERTIFICATE" and "TRUSTED CERTIFICATE" are other names that OpenSSL knows.
      guard line.contains("CERTIFICATE-----") else { continue }
      if hasBegun, line.contains("-----END ") { return nil }
      if line.contains("-----BEGIN ") { hasBegun = true }
    }
    return "\(path) is no PEM file of certificate authorities: it has no whole certificate, from "
      + "-----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----"
  }
}
