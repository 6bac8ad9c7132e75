// swift-tools-version: 6.2

import PackageDescription

/// The package in the folder above, as the compiler calls it: SwiftPM takes the name of that folder.
///
/// What is `package` there is visible here because these targets say that they belong to it.
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

// SwiftPM would put the name of this package behind that one, and the last one counts: hence `packageAccess: false`.
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
        // Several programs, since libFuzzer looks at every counter after every input, and most of them are NIO's.
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
