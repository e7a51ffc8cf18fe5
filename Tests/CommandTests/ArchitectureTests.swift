import Foundation
import Testing

/// What the README's map says is absent, by target: the targets of ours that it may use, and whether it may use the
/// system.
private let map: [(target: String, uses: [String], isCore: Bool)] = [
  ("JSONSyntax", [], true),
  ("Expressions", ["JSONSyntax"], true),
  ("FlowSpec", ["JSONSyntax", "Expressions"], true),
  ("FlowEngine", ["JSONSyntax", "Expressions", "FlowSpec"], true),
  ("FlowDrawing", ["Expressions", "FlowSpec", "FlowEngine"], true),
  ("FlowInterpreter", ["JSONSyntax", "Expressions", "FlowSpec", "FlowEngine"], false),
  ("FlowHTTP", ["CurlLibrary", "FlowInterpreter"], false),
  (
    "flowrun",
    ["JSONSyntax", "Expressions", "FlowSpec", "FlowEngine", "FlowDrawing", "FlowInterpreter", "FlowHTTP"], false
  ),
]

/// The targets that are C.
private let inC = ["CurlLibrary", "ReferenceCounts"]

private let system = ["Glibc", "Musl", "Darwin", "Synchronization"]

/// Paths below a folder of the project, relative to it, with their text.
private func swiftFiles(in folder: String) throws -> [(path: String, text: String)] {
  let all = FileManager.default.enumerator(atPath: Repository.root.appendingPathComponent(folder).path)
  let paths = (all?.allObjects ?? []).compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
  return try paths.sorted().map { ("\(folder)/\($0)", try Repository.text("\(folder)/\($0)")) }
}

private func checkImports(_ target: String, allowed: [String], sourceLocation: SourceLocation = #_sourceLocation) throws
{
  let files = try swiftFiles(in: "Sources/\(target)")
  #expect(!files.isEmpty, sourceLocation: sourceLocation)
  for file in files {
    for line in file.text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard let index = words.firstIndex(of: "import"), index < 3, index + 1 < words.count else { continue }
      guard !line.hasPrefix("//"), index == 0 || words[0].hasPrefix("@") || words[0] == "package" else { continue }
      let module = String(words[index + 1])
      #expect(allowed.contains(module), "\(file.path) imports \(module)", sourceLocation: sourceLocation)
    }
  }
}

@Test func everyTargetUsesOnlyWhatTheMapAllows() throws {
  for row in map { try checkImports(row.target, allowed: row.uses + (row.isCore ? [] : system)) }
}

@Test func theMapNamesEveryTarget() throws {
  let folders = try FileManager.default.contentsOfDirectory(
    atPath: Repository.root.appendingPathComponent("Sources").path)
  #expect(folders.sorted() == (map.map(\.target) + inC).sorted())
}

/// The rows of the README's map in its order, with what is deliberately absent of each.
private func rowsOfTheReadme() throws -> [(target: String, absent: String)] {
  let readme = try Repository.text("README.md")
  let section = try #require(readme.components(separatedBy: "\n## ").first { $0.hasPrefix("The map\n") })
  let lines = section.split(separator: "\n", omittingEmptySubsequences: false).drop { !$0.hasPrefix("| `") }
  return lines.prefix { $0.hasPrefix("| ") }.map { line in
    let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    return (cells[0].filter { $0 != "`" }, cells[2])
  }
}

@Test func eachUsesOnlyThoseAboveItInTheReadme() throws {
  let rows = try rowsOfTheReadme()
  #expect(Set(rows.map(\.target)) == Set(map.map(\.target) + inC) && rows.count == map.count + inC.count)
  for (index, row) in rows.enumerated() where !inC.contains(row.target) {
    let used = try #require(map.first { $0.target == row.target }).uses
    #expect(Set(used).isSubset(of: rows[..<index].map(\.target)), "\(row.target)")
    #expect(used.contains("FlowDrawing") == (row.target == "flowrun"), "\(row.target)")
    // Nobody may import it who is not allowed to by name.
    #expect(row.absent.contains("Foundation") == (row.target != "flowrun"), "\(row.target)")
  }
  let readme = try Repository.text("README.md").replacing("\n", with: " ")
  #expect(readme.contains("`FlowHTTP` uses `CurlLibrary` and `FlowInterpreter` alone"))
}

@Test func theCoreReadsNoClockAndNoChance() throws {
  let outside = [
    "ContinuousClock", "SuspendingClock", "SystemRandomNumberGenerator", ".random(", ".shuffled(", ".shuffle(",
    ".randomElement(", "Task {", "Task.detached", " print(",
  ]
  for row in map where row.isCore {
    for file in try swiftFiles(in: "Sources/\(row.target)") {
      let used = outside.filter(file.text.contains)
      #expect(used == [], "\(file.path)")
    }
  }
}

@Test func onlyTheLibraryForAppsIsPublic() throws {
  let library = ["FlowInterpreter", "FlowHTTP"]
  for row in map {
    let files = try swiftFiles(in: "Sources/\(row.target)")
    let places = files.filter { file in
      file.text.split(separator: "\n").contains { line in
        let words = line.split(separator: " ").drop { $0.hasPrefix("@") }
        return words.first == "public" || words.first == "open" || words.first?.hasPrefix("public(") == true
      }
    }
    #expect(places.isEmpty == !library.contains(row.target), "\(places.map(\.path))")
  }
}

/// An app with an HTTP client of its own builds nothing of libcurl's.
@Test func eachTargetForAppsIsAProductOfItsOwn() throws {
  let lines = try Repository.text("Package.swift").split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }
  let products = lines.filter { $0.hasPrefix(".library(") }
  #expect(
    products == [
      #".library(name: "FlowInterpreter", targets: ["FlowInterpreter"]),"#,
      #".library(name: "FlowHTTP", targets: ["FlowHTTP"]),"#,
    ])
}

@Test func thePackageDependsOnNoOther() throws {
  #expect(!(try Repository.text("Package.swift")).contains(".package("))
}

@Test func theTopLevelIsWhatTheReadmeSays() throws {
  let names = try FileManager.default.contentsOfDirectory(atPath: Repository.root.path).filter { !$0.hasPrefix(".") }
  let known = ["Package.swift", "README.md", "Sources", "Tests", "flows", "schemas"]
  // SwiftPM may write this one; it is ignored.
  #expect(names.filter { $0 != "Package.resolved" }.sorted() == known)
  #expect(try Repository.text(".gitignore").contains(".build/"))
}

@Test func noFileIsLongAndNoneHasAVagueName() throws {
  for file in try swiftFiles(in: "Sources") + swiftFiles(in: "Tests") {
    #expect(file.text.split(separator: "\n", omittingEmptySubsequences: false).count <= 301, "\(file.path)")
    let name = file.path.split(separator: "/").last.map { String($0) } ?? ""
    for vague in ["Manager", "Helper", "Util", "Base.", "Impl", "Info"] { #expect(!name.contains(vague), "\(name)") }
  }
}

@Test func nothingIsLeftUnsafe() throws {
  for file in try swiftFiles(in: "Sources") {
    let used = ["@unchecked Sendable", "nonisolated(unsafe)", "try!", "fatalError("].filter(file.text.contains)
    #expect(used == [], "\(file.path)")
  }
}

/// What is known of a function of the expressions stands where it is declared: nothing else asks for its name.
@Test func noFunctionIsKnownByItsNameElsewhere() throws {
  let declarations = try swiftFiles(in: "Sources/Expressions/Functions")
  var names: Set<Substring> = ["has", "expired", "fresh", "newId"]
  for file in declarations {
    names.formUnion(file.text.matches(of: /(?:Function|derivation|accessor)\(\s*"(\w+)"/).map(\.output.1))
  }
  #expect(names.isSuperset(of: ["s256", "present", "startsWith", "getHours", "duration", "size"]))
  for file in try swiftFiles(in: "Sources/Expressions/Compiling") + swiftFiles(in: "Sources/Expressions/Facts") {
    let asked = file.text.matches(of: /(?:[=!]= |case |global\[|methods\[|[\[,] ?)"(\w+)"/).map(\.output.1)
    #expect(asked.filter(names.contains) == [], "\(file.path)")
  }
  for file in try swiftFiles(in: "Sources/FlowSpec") {
    #expect(!["\"fresh", "\"newId"].contains(where: file.text.contains), "\(file.path)")
  }
}
