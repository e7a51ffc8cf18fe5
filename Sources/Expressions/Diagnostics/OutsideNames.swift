/// What CEL and its usual extensions have and the profile has not, so that a use of it gets a clear error.
enum OutsideNames {
  static let types: Set<String> = [
    "bool", "bytes", "double", "duration", "int", "list", "map", "null_type", "optional_type", "string", "timestamp",
    "type", "uint",
  ]

  static let functions: Set<String> = ["bytes", "uint", "type", "ip", "cidr", "isIP", "isCIDR", "regex", "sets"]

  static let methods: Set<String> = [
    "charAt", "containsCIDR", "containsIP", "distinct", "existsOne", "family", "find", "findAll", "first", "flatten",
    "format", "indexOf", "isCanonical", "isGlobalUnicast", "isLinkLocalMulticast", "isLinkLocalUnicast", "isLoopback",
    "isUnspecified", "last", "lastIndexOf", "masked", "matches", "optFlatMap", "optMap", "or", "prefixLength", "quote",
    "range", "reverse", "slice", "sort", "sortBy", "transformList", "transformMap", "transformMapEntry", "value",
  ]

  static let namespaces: Set<String> = [
    "base64", "cel", "ip", "lists", "math", "optional", "proto", "regex", "sets", "strings",
  ]
}
