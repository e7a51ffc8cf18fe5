import Expressions

extension Template {
  /// What a message says of it: what is known of it, with dots for what is secret in the config.
  func shown(with config: [ConfigKey]) -> String {
    known(with: config) { $0.secret ? hiddenText : $0.value.text?.string }.start
  }

  /// The text up to the first part that is not known before a run, and whether it is all; parts over `config` are known.
  func known(
    with config: [ConfigKey], as value: (ConfigKey) -> String? = { $0.value.text?.string }
  ) -> (start: String, isWhole: Bool) {
    var text = ""
    for part in parts {
      switch part {
      case .literal(let literal): text += literal
      case .expression(let expression):
        let key = config.first { "config.\($0.name)" == expression.selection }
        guard let known = key.flatMap(value) else { return (text, false) }
        text += known
      }
    }
    return (text, true)
  }
}
