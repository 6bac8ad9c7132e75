// swift-tools-version: 6.2

import PackageDescription

/// The name of the package in the parent folder as the compiler knows it: SwiftPM uses the name of the folder.
///
/// Its `package` declarations are visible here, because these targets are compiled as a part of that package.
let rootName = Context.packageDirectory.split(separator: "/").dropLast().last.map { $0.lowercased() } ?? "root"
let rootIdentifier = String(
    rootName.enumerated().map { $1.isLetter || $1.isNumber && $0 > 0 ? $1 : "_" }
)

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .unsafeFlags(["-parse-as-library", "-package-name", rootIdentifier]),
]

// SwiftPM would add the name of this package after that one, and the last one counts. Therefore `packageAccess: false`.
let package = Package(
    name: "Fuzz",
    dependencies: [
        .package(name: "swift-hap", path: ".."),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    ],
    targets: [
        .target(
            name: "FuzzHarness",
            dependencies: [.product(name: "CoreWorkbench", package: "swift-hap")],
            packageAccess: false,
            swiftSettings: settings
        ),
        // There are several programs, because libFuzzer checks every counter after every input, and most counters are
        // in NIO.
        .executableTarget(
            name: "CoreFuzzer",
            dependencies: ["FuzzHarness", .product(name: "CoreWorkbench", package: "swift-hap")],
            packageAccess: false,
            swiftSettings: settings
        ),
        .executableTarget(
            name: "ControllerFuzzer",
            dependencies: [
                "FuzzHarness",
                .product(name: "CoreWorkbench", package: "swift-hap"),
                .product(name: "HAPController", package: "swift-hap"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ],
            packageAccess: false,
            swiftSettings: settings
        ),
        .executableTarget(
            name: "FilesFuzzer",
            dependencies: [
                "FuzzHarness",
                .product(name: "CoreWorkbench", package: "swift-hap"),
                .product(name: "FilesWorkbench", package: "swift-hap"),
            ],
            packageAccess: false,
            swiftSettings: settings
        ),
        .executableTarget(
            name: "ServerFuzzer",
            dependencies: [
                "FuzzHarness",
                .product(name: "CoreWorkbench", package: "swift-hap"),
                .product(name: "ServerWorkbench", package: "swift-hap"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ],
            packageAccess: false,
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
