import FlowSpec
import Foundation

/// Loads every mutant of each of some documents; what loads is run.
///
/// Each is cut off at every byte, and has any token dropped, doubled or in the place of another. Exits with 1 where a
/// mutant is refused without a word, or at a place outside the document.
///
///     mutants EVERY SHARE OF PROGRESS DOCUMENT …
///
/// Takes each so-manieth mutant, and of those each `OF`-th, so that several processes share the work. A crash cannot be told from
/// inside: `PROGRESS` holds the mutant that is being looked at.
@main struct Mutants {
  private let stride: (every: Int, first: Int)
  private let progress: Int32
  private var looked = 0
  private var refused = 0
  private var failed = 0

  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count > 5, let every = Int(arguments[1]), let share = Int(arguments[2]), let of = Int(arguments[3])
    else { fatalError("mutants EVERY SHARE OF PROGRESS DOCUMENT …") }
    var mutants = Mutants(every: every * of, first: share * every, progress: arguments[4])
    let library = Library(Array(arguments[5...]))
    for subject in library.subjects { mutants.lookAt(subject) }
    print("\(mutants.looked) \(mutants.refused)")
    if mutants.failed > 0 { exit(1) }
  }

  private init(every: Int, first: Int, progress path: String) {
    stride = (every, first)
    progress = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    precondition(progress >= 0, "the progress can be written")
  }

  private mutating func lookAt(_ subject: Subject) {
    let bytes = subject.bytes
    let needed = bytes.count - bytes.reversed().prefix { $0 <= 0x20 }.count
    for length in Swift.stride(from: stride.first, to: bytes.count, by: stride.every) {
      look(at: Array(bytes.prefix(length)), of: subject, "cut off at \(length)", mustFail: length < needed)
    }
    for grain in Mutation.Grain.allCases {
      var number = stride.first
      for mutant in Mutation(of: bytes, grain, every: stride.every, from: stride.first) {
        if mutant != bytes { look(at: mutant, of: subject, "\(grain) mutant \(number)", mustFail: false) }
        number += stride.every
      }
    }
  }

  private mutating func look(at mutant: [UInt8], of subject: Subject, _ name: String, mustFail: Bool) {
    note("\(subject.path), \(name)")
    let verdict = subject.verdict(on: mutant)
    looked += 1
    if verdict.isRefused { refused += 1 }
    guard let complaint = verdict.complaint ?? (mustFail && !verdict.isRefused ? "was taken" : nil) else { return }
    failed += 1
    print("failed: \(subject.path), \(name): \(complaint)")
  }

  /// Says what is being looked at, and bounds the time that it may take.
  private func note(_ text: String) {
    var bytes = Array(text.utf8.prefix(255))
    bytes += Array(repeating: UInt8(ascii: " "), count: 255 - bytes.count) + [UInt8(ascii: "\n")]
    _ = pwrite(progress, bytes, bytes.count, 0)
    alarm(60)
  }
}
