// swift-tools-version: 6.2
import PackageDescription

let onLinuxInRelease = BuildSettingCondition.when(platforms: [.linux], configuration: .release)

// SwiftPM asks for frame pointers, which take a sixteenth of the time of all that flowrun does.
let withoutFramePointers = ["-Xclang", "-mframe-pointer=none"]

let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .unsafeFlags(withoutFramePointers.flatMap { ["-Xcc", $0] }, onLinuxInRelease),
]

// A release binary on Linux carries the standard libraries of Swift and of C++: it starts in half the time and needs no
// toolchain. It stands at a fixed address, so that none of its 29,000 pointers has to be relocated when it starts.
let startsFast = [
  "-static-stdlib", "-use-ld=lld", "-Xlinker", "-s", "-Xlinker", "--no-export-dynamic",
  "-Xlinker", "-no-pie", "-Xclang-linker", "-no-pie", "-Xclang-linker", "-static-libgcc",
  "-Xlinker", "--remap-inputs=*/libstdc++.so=/dev/null", "-Xlinker", "-l:libstdc++.a",
]

// References are counted by the target ReferenceCounts, which knows how these versions keep the counts.
#if compiler(<6.4)
  let countsFast = ["-Xlinker", "--wrap=swift_retain", "-Xlinker", "--wrap=swift_release"]
#else
  let countsFast: [String] = []
#endif

let package = Package(
  name: "flowrun",
  // `String.utf8Span` needs them.
  platforms: [.macOS(.v26), .iOS(.v26)],
  products: [
    .library(name: "FlowInterpreter", targets: ["FlowInterpreter"]),
    .library(name: "FlowHTTP", targets: ["FlowHTTP"]),
    .executable(name: "flowrun", targets: ["flowrun"]),
  ],
  targets: [
    .target(name: "JSONSyntax", swiftSettings: strict),
    .target(name: "Expressions", dependencies: ["JSONSyntax"], swiftSettings: strict),
    .target(name: "FlowSpec", dependencies: ["JSONSyntax", "Expressions"], swiftSettings: strict),
    .target(name: "FlowEngine", dependencies: ["JSONSyntax", "Expressions", "FlowSpec"], swiftSettings: strict),
    .target(name: "FlowDrawing", dependencies: ["Expressions", "FlowSpec", "FlowEngine"], swiftSettings: strict),
    .target(
      name: "FlowInterpreter", dependencies: ["JSONSyntax", "Expressions", "FlowSpec", "FlowEngine"],
      swiftSettings: strict),
    .target(name: "CurlLibrary"),
    .target(name: "FlowHTTP", dependencies: ["CurlLibrary", "FlowInterpreter"], swiftSettings: strict),
    .target(
      name: "ReferenceCounts",
      cSettings: [
        .define("COUNTS_WITHOUT_ATOMICS", onLinuxInRelease), .unsafeFlags(withoutFramePointers, onLinuxInRelease),
      ]),
    .executableTarget(
      name: "flowrun",
      dependencies: [
        "JSONSyntax", "Expressions", "FlowSpec", "FlowEngine", "FlowDrawing", "FlowInterpreter", "FlowHTTP",
        "ReferenceCounts",
      ],
      swiftSettings: strict + [.unsafeFlags(["-static-stdlib"], onLinuxInRelease)],
      linkerSettings: [.unsafeFlags(startsFast + countsFast, onLinuxInRelease)]
    ),
    .testTarget(name: "JSONSyntaxTests", dependencies: ["JSONSyntax"], swiftSettings: strict),
    .testTarget(name: "ExpressionsTests", dependencies: ["Expressions", "JSONSyntax"], swiftSettings: strict),
    .testTarget(
      name: "FlowSpecTests", dependencies: ["FlowSpec", "JSONSyntax", "Expressions"],
      exclude: ["Bad", "Drafts", "Sample"], swiftSettings: strict),
    .testTarget(
      name: "FlowEngineTests", dependencies: ["FlowEngine", "FlowSpec", "JSONSyntax", "Expressions"],
      swiftSettings: strict),
    .testTarget(name: "FlowInterpreterTests", dependencies: ["FlowInterpreter"], swiftSettings: strict),
    .testTarget(name: "FlowHTTPTests", dependencies: ["FlowHTTP", "FlowInterpreter"], swiftSettings: strict),
    .testTarget(name: "CommandTests", swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
