import Expressions
import FlowHTTP
import FlowInterpreter
import FlowSpec

/// What a command line says about live services.
struct LiveOptions {
  let services: [LiveServices.Service]
  let http: HTTPOptions
  /// `nil` for the system's.
  let browser: String?
  /// After so long a page that was opened counts as closed.
  let browserWait: Duration

  init(_ invocation: Invocation, for flow: Flow) throws(Failure) {
    services = try Self.services(invocation, of: flow)
    http = try Self.options(invocation)
    browser = invocation.value(.browser)
    browserWait = try Self.duration(.browserWait, invocation) ?? .seconds(300)
  }

  /// What says something about live services needs one.
  static func check(_ invocation: Invocation) throws(Failure) {
    guard !invocation.has(.live), let option = Option.ofLiveRuns.first(where: invocation.has) else { return }
    throw Failure(
      .usage, "\(option.name) says something about live services, and there is none",
      help: "make one live with --live NAME")
  }

  private static func services(
    _ invocation: Invocation, of flow: Flow
  ) throws(Failure) -> [LiveServices.Service] {
    let names = flow.services.map { flow.participants[$0.participant].name }
    var services: [LiveServices.Service] = []
    for given in invocation.values(.live) {
      let parts = given.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
      let name = parts[0]
      guard names.contains(name) else {
        // An address may have a password in it.
        if name.contains("://") || name.contains("@") {
          throw Failure(.usage, "--live takes NAME or NAME=URL", help: "the services are \(names.listed)")
        }
        throw Failure(.usage, "the flow has no service \"\(name)\"", help: likely(name, among: names))
      }
      guard !services.contains(where: { $0.name == name }) else {
        throw Failure(.usage, "--live names \"\(name)\" twice")
      }
      services.append(LiveServices.Service(name, at: parts.count == 2 ? parts[1] : nil))
    }
    return services
  }

  private static func options(_ invocation: Invocation) throws(Failure) -> HTTPOptions {
    var options = HTTPOptions()
    if let time = try duration(.connectTimeout, invocation) { options.connectTimeout = time }
    if let file = invocation.value(.certificateAuthority) {
      guard let kind = Files.kind(of: file) else { throw .missing(file, "file") }
      guard kind == .file else {
        throw Failure(.noFile, "\(file) is \(kind == .folder ? "a folder" : "a device or a pipe"), not a file")
      }
      options.certificateAuthority = file
      if let problem = options.problemWithAuthorities { throw Failure(.noFile, problem) }
    }
    if let text = invocation.value(.mostBody) {
      guard let size = Int(bytes: text) else {
        throw Failure(
          .usage, "--max-body takes a number of bytes, not \"\(text)\"", help: "such as 65536, 512KiB or 16MiB")
      }
      options.mostBodyBytes = size
    }
    return options
  }

  private static func duration(_ option: Option, _ invocation: Invocation) throws(Failure) -> Duration? {
    guard let text = invocation.value(option) else { return nil }
    guard text.first != "+", let duration = Duration(celText: text, allowingDays: true), duration > .zero else {
      throw Failure(
        .usage, "\(option.name) takes a duration, not \"\(text)\"", help: "such as 500ms, 30s, 10m or 1h30m")
    }
    return duration
  }
}

extension Int {
  /// A number of bytes as people write it, between 1 and 1 GiB.
  fileprivate init?(bytes text: String) {
    let units = [("KiB", 10), ("MiB", 20), ("GiB", 30)]
    let unit = units.first { text.hasSuffix($0.0) }
    guard let number = Int(digits: unit.map { text.dropLast($0.0.count) } ?? text[...]) else { return nil }
    let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: 1 << (unit?.1 ?? 0))
    guard !isTooLarge, bytes <= 1 << 30 else { return nil }
    self = bytes
  }
}
