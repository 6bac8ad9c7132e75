// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    // The main function is libFuzzer's.
    .unsafeFlags(["-parse-as-library"]),
]

// The targets are modules of the package in the parent folder, where FuzzTests replays their seeds. There are several
// programs, because libFuzzer checks every counter after every input, and most counters are in NIO.
let package = Package(
    name: "Fuzz",
    dependencies: [.package(name: "swift-hap", path: "..")],
    targets: ["Core", "Controller", "Files", "Server"]
        .map { name in
            .executableTarget(
                name: "\(name)Fuzzer",
                dependencies: [.product(name: "\(name)FuzzTargets", package: "swift-hap")],
                swiftSettings: settings
            )
        },
    swiftLanguageModes: [.v6]
)
