/// Words and signs of other languages, with what CEL has instead: the help of an error that meets one.
enum ForeignWords {
  /// Names that stand between or before values.
  static func help(forName name: String) -> String? {
    switch name {
    case "and", "AND", "or", "OR", "not", "NOT": "logic is written \"&&\", \"||\" and \"!\""
    case "is", "eq", "equals", "isnt", "ne": "equality is written \"==\" and \"!=\""
    case "gt", "lt", "gte", "lte", "ge", "le": "order is written \"<\", \"<=\", \">\" and \">=\""
    case "contains", "startsWith", "endsWith", "matches": "a function is called on a value: x.\(name)('…')"
    case "then", "if", "else": "a choice is written \"condition ? this : that\""
    case "let": "what \"let\" declares is read by its name alone, without \"let.\""
    case "undefined", "nil", "None", "Null", "NULL", "nothing": "nothing is written \"null\""
    case "True", "TRUE", "yes", "False", "FALSE", "no": "true and false are written in lower case"
    default: nil
    }
  }

  /// Functions, called either way.
  static func help(forFunction name: String) -> String? {
    switch name {
    case "not", "NOT", "and", "AND", "OR": help(forName: name)
    case "length", "len", "count", "strlen": "how long something is says size(x)"
    case "includes", "has", "containsKey", "include": "x.contains('…') looks into a string, \"in\" into a list or a map"
    case "toLowerCase", "toLower", "lower", "lowercased", "lowercase": "write x.lowerAscii()"
    case "toUpperCase", "toUpper", "upper", "uppercased", "uppercase": "write x.upperAscii()"
    case "isEmpty", "empty", "isNull", "isBlank", "notEmpty", "defined", "isPresent", "exists":
      "present(x) says whether there is something: not null, not empty"
    case "toString", "str": "write string(x)"
    case "toInt", "parseInt", "Number": "write int(x)"
    case "date", "Date", "time", "parseDate": "write timestamp('2026-01-01T09:00:00Z')"
    case "sha256", "SHA256", "hash": "s256(x) is the base64url of SHA-256"
    case "base64", "btoa": "base64url(x) is base64 for URLs"
    case "uuid", "random", "guid", "nonce", "UUID": "fresh('name') makes a value that nobody can guess"
    case "encodeURIComponent", "encode": "urlEncode(x); in a path, a query or a form it is done by itself"
    case "decode", "decodeJwt", "parseJwt": "claims(x) reads the payload of a JWT"
    case "type", "typeof", "isNumber", "isInteger", "isDate", "isDateTime", "isNaN", "tryParse", "is":
      "isInt(x), isDouble(x), isBool(x), isString(x), isTimestamp(x) and isDuration(x) say whether int(x) and so on give something"
    case "isList", "isMap", "isArray", "isObject", "isDict", "isJSON", "isJson":
      "what is a list or a map cannot be asked: present(x.?name) says whether a map has a member, size(x) how many there are"
    case "matches", "test", "regex": "x.contains('…'), x.startsWith('…') and x.endsWith('…') look into a string"
    case "minutes", "hours", "days", "milliseconds", "minute", "hour": "write duration('90s') or duration('1h30m')"
    case "coalesce", "default", "orElse", "getOrElse", "or": "a.?b.orValue(…) says what stands where there is nothing"
    case "value", "unwrap", "get": "a.?b.orValue(…) says what stands where there is nothing; a.b must be there"
    case "substr", "slice": "write x.substring(start, end)"
    case "if", "iff", "cond": "a choice is written \"condition ? this : that\""
    case "now": "the time is \"now\", without brackets"
    default: nil
    }
  }

  /// Signs that CEL has not, the longest first.
  static let signs = ["===", "!==", "=~", "=>", "${", "<>", "??", "=", "&", "|", "$"]

  static func help(forSign sign: String) -> String? {
    switch sign {
    case "===", "!==", "=", "<>": "equality is written \"==\" and \"!=\""
    case "&", "|": "logic is written \"&&\" and \"||\""
    case "${", "$": "an expression stands here as it is; \"${…}\" is for text"
    case "??", "?:": "a.?b.orValue(…) says what stands where there is nothing"
    case "=~": "x.contains('…'), x.startsWith('…') and x.endsWith('…') look into a string"
    default: sign.unicodeScalars.first.flatMap(help(forUnseen:))
    }
  }

  /// For what comes along when text is copied from a page, and looks like a blank or like nothing.
  private static func help(forUnseen scalar: Unicode.Scalar) -> String? {
    switch scalar.properties.generalCategory {
    case .spaceSeparator where scalar == "\u{A0}": "this is a non-breaking space: type an ordinary one in its place"
    case .spaceSeparator: "this is not the usual blank: type an ordinary one in its place"
    case .format: "nobody sees this character: remove it"
    default: nil
    }
  }
}
