import JSONSyntax

/// Stands for what is secret, however long it is.
package let hiddenText = "••••••••"

/// The text without what could steer a terminal: control characters stand as `\u{1B}`.
package func printable(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: isControl) else { return text }
  let shown = text.unicodeScalars.map {
    isControl($0) ? "\\u{\(String($0.value, radix: 16, uppercase: true))}" : String($0)
  }
  return shown.joined()
}

func isControl(_ scalar: Unicode.Scalar) -> Bool { steersTerminal(scalar.value) }
