// swift-tools-version: 6.2

import PackageDescription

// A package like that of a library user: it can access only public declarations. The same programs are targets of
// swift-hap, without package access.
let package = Package(
    name: "Consumer",
    dependencies: [
        .package(name: "swift-hap", path: "../.."),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // A copy of the example of the README. `make fixtures` writes it.
        .executableTarget(name: "Readme", dependencies: [.product(name: "HAPServer", package: "swift-hap")]),
        // A copy of the example of the controller's guide. `make fixtures` writes it.
        .executableTarget(name: "Remote", dependencies: [.product(name: "HAPController", package: "swift-hap")]),
        // A link to the folder in Examples; building the package there would compile all dependencies again.
        .executableTarget(name: "Lamp", dependencies: [.product(name: "HAPServer", package: "swift-hap")]),
        // A link, too.
        .executableTarget(name: "Player", dependencies: [.product(name: "CastSender", package: "swift-hap")]),
        // Links, too: the Kilgo app.
        .target(name: "KilgoApp", dependencies: [.product(name: "HomeKit", package: "swift-hap")]),
        .executableTarget(
            name: "Kilgo",
            dependencies: [
                "KilgoApp",
                .product(name: "HomeKit", package: "swift-hap"),
                .product(name: "HomeKitSimulator", package: "swift-hap"),
            ]
        ),
        // Tests logs, metrics and the shutdown with another service; unlike the others, it is also run.
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
