import Testing

@testable import FlowSpec

@Suite struct ExposureTests {
  @Test func whatStaysWithinThisMachineIsNotOpen() {
    for url in [
      "https://id.example", "http://127.0.0.1", "http://127.0.0.1:80/a?b", "http://127.255.1.2:1", "HTTP://LOCALHOST/",
      "http://localhost:8080", "http://[::1]", "http://[::1]:99/x", "com.example:/back",
      "http://[0:0:0:0:0:0:0:1]:1", "http://[::0001]", "http://[0:0::1]/",
    ] {
      #expect(!goesInTheOpen(url), "\(url)")
    }
  }

  @Test func whatOnlyLooksLikeThisMachineIsOpen() {
    for url in [
      "http://id.example", "http://127.0.0.1.evil.example", "http://127.1", "http://127.0.0.256", "http://128.0.0.1",
      "http://localhost.evil.example", "http://localhost@evil.example", "http://127.0.0.1:1@evil.example",
      "http://[::1]:1@evil.example", "http://127.0.0.1:1:2",
      "http://localhost:8080:x@y", "http://",
      "http://[0:0:0:0:0:0:1]", "http://[0:0:0:0:0:0:0:0:1]", "http://[1::1]", "http://[:1]", "http://[::0::1]",
      "http://[1]", "http://[::10]", "http://[::2]", "http://[::1].evil.example", "http://evil.example\\@127.0.0.1",
      "http://127.0.0.1\\.evil.example",
      "http://0.0.0.0", "http://127.0.0.08", "http://127.00.0.1", "http://0127.0.0.1",
      "http://127.0.0.0x1", "http://a.localhost",
    ] {
      #expect(goesInTheOpen(url), "\(url)")
    }
  }
}
