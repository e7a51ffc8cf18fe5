/// Which headers are those of whoever carries a message, and not of whoever writes it; and which answers lead on.
package enum Transport {
  /// Whether a browser goes where `location` says (Fetch, "redirect status").
  package static func leadsOn(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

  static func sets(_ name: String) -> Bool { names.contains(name) || name.hasPrefix("proxy-") }

  private static let names: Set = [
    // Where a message ends, and in which pieces it travels: two opinions about it are how requests are smuggled.
    "content-length", "transfer-encoding", "te", "trailer",
    // What holds for one connection, and means nothing behind it (RFC 9110, section 7.6.1).
    "connection", "keep-alive", "upgrade", "expect", "http2-settings",
    // Who is asked: the address says it.
    "host",
    // How bodies are packed: they go out as they stand, and are unpacked before a flow sees them.
    "content-encoding", "accept-encoding",
    // Cookies are the browser's alone; replies have a member for them.
    "cookie",
  ]
}
