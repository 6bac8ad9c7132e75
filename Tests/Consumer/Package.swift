// swift-tools-version: 6.2

import PackageDescription

// What a user of the library has: this package sees nothing but what is public.
let package = Package(
    name: "Consumer",
    dependencies: [
        .package(name: "swift-hap", path: "../.."),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // README's example, word by word: `build` copies it from there.
        .executableTarget(name: "Readme", dependencies: [.product(name: "HAPServer", package: "swift-hap")]),
        // The example of the controller's guide, word by word.
        .executableTarget(name: "Remote", dependencies: [.product(name: "HAPController", package: "swift-hap")]),
        // A link to the folder in Examples, whose package would build everything once more.
        .executableTarget(name: "Lamp", dependencies: [.product(name: "HAPServer", package: "swift-hap")]),
        // Logs, counts and shuts down with another service; it is run, too.
        .executableTarget(
            name: "Observed",
            dependencies: [
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "HAPController", package: "swift-hap"),
                .product(name: "HAPServer", package: "swift-hap"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        .executableTarget(
            name: "PublicInterface",
            dependencies: [
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "HAPController", package: "swift-hap"),
                .product(name: "HAPServer", package: "swift-hap"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]
        ),
    ]
)
