// swift-tools-version: 6.2
// Long because: a package declares all of its targets in this file.

import PackageDescription

/// Whether a warning fails the build: in .ci/run, but not for a user, whose newer compiler may have more warnings.
let hasStrictWarnings = Context.environment["HAP_STRICT_WARNINGS"] != nil

let strictness: [SwiftSetting] = hasStrictWarnings ? [.treatAllWarnings(as: .error)] : []

let settings: [SwiftSetting] =
    strictness + [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ]

let package = Package(
    name: "swift-hap",
    products: [
        .executable(name: "hap", targets: ["hap"]),
        .library(name: "HAPServer", targets: ["HAPServer", "Discovery", "Storage", "AccessoryModel", "HAPCore"]),
        .library(
            name: "HAPController",
            targets: ["HAPController", "Discovery", "Storage", "AccessoryModel", "HAPCore"]
        ),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        // The TLS of drivers that listen. Hummingbird depends on it, too.
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-numerics", from: "1.1.1"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        // Without the traits that bring in swift-configuration and all of Foundation: only HummingbirdCore is used.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        // Without Foundation.
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    ],
    targets: [
        .systemLibrary(
            name: "CSodium",
            path: "Sources/System/C/CSodium",
            pkgConfig: "libsodium",
            providers: [.apt(["libsodium-dev"])]
        ),
        // Functions of glibc that Swift's module Glibc does not have.
        .systemLibrary(name: "CGlibc", path: "Sources/System/C/CGlibc"),
        .systemLibrary(
            name: "CQREncode",
            path: "Sources/System/C/CQREncode",
            pkgConfig: "libqrencode",
            providers: [.apt(["libqrencode-dev"])]
        ),
        .systemLibrary(
            name: "CZlib",
            path: "Sources/System/C/CZlib",
            pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"])]
        ),
        // Libraries that are loaded when they are needed.
        .target(name: "CAvahi", path: "Sources/System/C/CAvahi"),
        .target(name: "CCrypto", path: "Sources/System/C/CCrypto"),
        // The definitions of the folder Accessories, inside the program.
        .target(name: "CGalleryFiles", path: "Sources/Files/CGalleryFiles"),

        // The files are embedded by the C compiler, without a generated copy of them.
        .target(name: "CPageFiles", path: "Sources/Process/CPageFiles", exclude: ["page", "package.json"]),
        .target(name: "AsyncPrimitives", path: "Sources/System/AsyncPrimitives", swiftSettings: settings),
        .target(
            name: "HAPCore",
            dependencies: ["CSodium", "CCrypto"],
            path: "Sources/Protocol/HAPCore",
            swiftSettings: settings,
            // Of a Double that is made an integer exactly, when nothing else brings the library in.
            linkerSettings: [.linkedLibrary("m")]
        ),
        .target(
            name: "Certificates",
            dependencies: ["CCrypto", "HAPCore"],
            path: "Sources/System/Certificates",
            swiftSettings: settings
        ),
        .target(
            name: "AccessoryModel",
            dependencies: ["HAPCore"],
            path: "Sources/Accessories/AccessoryModel",
            swiftSettings: settings
        ),
        .target(name: "Cast", dependencies: ["HAPCore"], path: "Sources/Protocol/Cast", swiftSettings: settings),
        .target(
            name: "Documents",
            dependencies: ["HAPCore"],
            path: "Sources/System/Documents",
            swiftSettings: settings
        ),
        .target(
            name: "YAMLDocuments",
            dependencies: ["Documents", "HAPCore", .product(name: "Yams", package: "Yams")],
            path: "Sources/System/YAMLDocuments",
            swiftSettings: settings
        ),
        .target(
            name: "Simulation",
            dependencies: [
                "AccessoryModel", "Cast", "Documents", "HAPCore",
                // Of rooms that warm and cool: the modules of values have neither Foundation nor the C library.
                .product(name: "RealModule", package: "swift-numerics"),
            ],
            path: "Sources/Simulator/Simulation",
            swiftSettings: settings
        ),
        .target(
            name: "HomeModel",
            dependencies: [
                "AccessoryModel", "Documents", "HAPCore",
                .product(name: "HeapModule", package: "swift-collections"),
                // Of the sun's sines: the modules of values have neither Foundation nor the C library.
                .product(name: "RealModule", package: "swift-numerics"),
            ],
            path: "Sources/Homes/HomeModel",
            swiftSettings: settings
        ),
        .target(
            name: "AccessoryFiles",
            dependencies: [
                "AccessoryModel", "Documents", "HAPCore", "HomeModel", "Simulation", "YAMLDocuments",
            ],
            path: "Sources/Files/AccessoryFiles",
            swiftSettings: settings
        ),
        .target(
            name: "Storage",
            dependencies: ["AccessoryModel", "CGlibc", "HAPCore", .product(name: "GRDB", package: "GRDB.swift")],
            path: "Sources/System/Storage",
            swiftSettings: settings
        ),
        .target(
            name: "Discovery",
            dependencies: [
                "AsyncPrimitives", "CAvahi", "HAPCore",
                .product(name: "DequeModule", package: "swift-collections"),
            ],
            path: "Sources/System/Discovery",
            swiftSettings: settings
        ),
        .target(
            name: "HAPServer",
            dependencies: [
                "AccessoryModel", "AsyncPrimitives", "CGlibc", "Discovery", "HAPCore", "Storage",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            path: "Sources/Server/HAPServer",
            swiftSettings: settings
        ),
        .target(
            name: "HAPController",
            dependencies: [
                "AccessoryModel", "AsyncPrimitives", "Discovery", "HAPCore", "Storage",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Sources/Controller/HAPController",
            swiftSettings: settings
        ),
        .target(
            name: "HomeRuntime",
            dependencies: [
                "AccessoryModel", "AsyncPrimitives", "HAPController", "HAPCore", "HomeModel", "Storage",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Sources/Homes/HomeRuntime",
            swiftSettings: settings
        ),
        .target(
            name: "Hosting",
            dependencies: [
                "AccessoryFiles", "AccessoryModel", "AsyncPrimitives", "Discovery", "Documents", "HAPCore", "HAPServer",
                "HomeModel", "HomeRuntime", "Resources", "Simulation", "Storage",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            path: "Sources/Process/Hosting",
            swiftSettings: settings
        ),
        .target(
            name: "Resources",
            dependencies: ["AccessoryModel", "Documents", "HAPCore", "HomeModel", "HomeRuntime", "Simulation"],
            path: "Sources/Process/Resources",
            swiftSettings: settings
        ),
        .target(
            name: "CastDriver",
            dependencies: [
                "AccessoryModel", "AsyncPrimitives", "Cast", "Certificates", "Discovery", "HAPCore", "HAPServer",
                "Hosting", "Simulation",
            ],
            path: "Sources/Process/CastDriver",
            swiftSettings: settings
        ),
        .target(
            name: "WebConsole",
            dependencies: [
                "AccessoryFiles", "AccessoryModel", "AsyncPrimitives", "CGalleryFiles", "CGlibc", "CPageFiles",
                "CQREncode", "CZlib", "Discovery", "Documents", "HAPCore", "HAPServer", "HomeModel", "HomeRuntime",
                "Hosting", "Resources", "Simulation", "Storage",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                // The server alone: the router follows from the table of operations.
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Sources/Process/WebConsole",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "hap",
            dependencies: [
                "AccessoryFiles", "AccessoryModel", "AsyncPrimitives", "CastDriver", "Discovery", "Documents",
                "HAPController",
                "HAPCore", "HAPServer", "HomeModel", "HomeRuntime", "Hosting", "Resources", "Simulation", "Storage",
                "WebConsole", "YAMLDocuments",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            path: "Sources/Commands/hap",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "BridgeBenchmark",
            dependencies: [
                "AccessoryModel", "HAPCore", "HAPServer", "Storage",
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            path: "Benchmarks/BridgeBenchmark",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "ControllerBenchmark",
            dependencies: ["HAPController"],
            path: "Benchmarks/ControllerBenchmark",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "HomeBenchmark",
            dependencies: [
                "AccessoryFiles", "AccessoryModel", "ControllerTestSupport", "Discovery", "HAPController", "HAPCore",
                "HAPServer", "HomeModel", "HomeRuntime", "HostTestSupport", "Hosting", "TestSupport", "WebConsole",
            ],
            path: "Benchmarks/HomeBenchmark",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "SimulationBenchmark",
            dependencies: ["AccessoryFiles", "AccessoryModel", "HAPCore", "TestSupport"],
            path: "Benchmarks/SimulationBenchmark",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "CatalogGenerator",
            dependencies: [.product(name: "ArgumentParser", package: "swift-argument-parser")],
            path: "Sources/Accessories/CatalogGenerator",
            exclude: ["Input"],
            swiftSettings: settings
        ),

        .executableTarget(
            name: "MicroBenchmarks",
            dependencies: [
                "AccessoryModel", "Discovery", "HAPCore", "HAPServer", "HomeModel", "Simulation", "TestSupport",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ],
            path: "Benchmarks/MicroBenchmarks",
            swiftSettings: settings
        ),

        .target(
            name: "TestSupport",
            dependencies: ["AccessoryModel", "Discovery", "HAPCore"],
            path: "Tests/TestSupport",
            exclude: ["vectors.json"],
            swiftSettings: settings
        ),
        .target(
            name: "ControllerTestSupport",
            dependencies: ["AccessoryModel", "HAPController", "HAPCore"],
            path: "Tests/ControllerTestSupport",
            swiftSettings: settings
        ),
        .target(
            name: "HostTestSupport",
            dependencies: [
                "AccessoryModel", "Discovery", "HAPServer", "Hosting", "Simulation", "TestSupport",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            path: "Tests/HostTestSupport",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "CrashTest",
            dependencies: [
                "AccessoryModel", "Documents", "HAPCore", "HAPServer", "Storage", "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Tests/CrashTest",
            exclude: ["Preloaded"],
            swiftSettings: settings
        ),
        .target(
            name: "FuzzHarness",
            dependencies: ["HAPCore"],
            path: "Fuzz/Sources/FuzzHarness",
            swiftSettings: settings
        ),
        .testTarget(
            name: "FuzzTests",
            dependencies: [
                "ControllerFuzzTargets", "CoreFuzzTargets", "FilesFuzzTargets", "FuzzHarness", "ServerFuzzTargets",
            ],
            swiftSettings: settings
        ),
        .testTarget(name: "AsyncPrimitivesTests", dependencies: ["AsyncPrimitives"], swiftSettings: settings),
        .testTarget(name: "CertificatesTests", dependencies: ["Certificates", "TestSupport"], swiftSettings: settings),
        .testTarget(name: "CastTests", dependencies: ["Cast", "HAPCore", "TestSupport"], swiftSettings: settings),
        .testTarget(name: "HAPCoreTests", dependencies: ["HAPCore", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "AccessoryModelTests",
            dependencies: ["AccessoryModel", "CatalogGenerator", "HAPCore", "Simulation", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "DocumentsTests",
            dependencies: ["Documents", "HAPCore", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SimulationTests",
            dependencies: ["AccessoryFiles", "AccessoryModel", "Documents", "HAPCore", "Simulation", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HomeModelTests",
            dependencies: ["AccessoryFiles", "AccessoryModel", "Documents", "HAPCore", "HomeModel", "TestSupport"],
            exclude: ["Phrases/phrases.tsv"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "AccessoryFilesTests",
            dependencies: [
                "AccessoryFiles", "AccessoryModel", "Documents", "HAPCore", "HomeModel", "Simulation", "TestSupport",
                "YAMLDocuments",
            ],
            exclude: ["Broken", "BrokenHomes", "BrokenScenarios", "Pictures"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "StorageTests",
            dependencies: [
                "AccessoryFiles", "AccessoryModel", "ControllerTestSupport", "HAPController", "HAPCore", "HomeModel",
                "HomeRuntime", "Storage", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            exclude: ["Released"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "DiscoveryTests",
            dependencies: ["Discovery", "HAPCore", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HAPServerTests",
            dependencies: [
                "AccessoryFiles", "AccessoryModel", "Discovery", "HAPCore", "HAPServer", "Simulation", "Hosting",
                "TestSupport",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HAPControllerTests",
            dependencies: [
                "AccessoryModel", "AsyncPrimitives", "ControllerTestSupport", "Discovery", "HAPController", "HAPCore",
                "HAPServer", "Simulation", "Storage", "TestSupport",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HomeRuntimeTests",
            dependencies: [
                "AccessoryFiles", "AccessoryModel", "AsyncPrimitives", "ControllerTestSupport", "Discovery",
                "HAPController", "HAPCore", "HAPServer", "HomeModel", "HomeRuntime", "HostTestSupport", "Hosting",
                "Simulation", "TestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CastDriverTests",
            dependencies: [
                "AccessoryFiles", "AccessoryModel", "Cast", "CastDriver", "HAPCore", "HAPServer", "HostTestSupport",
                "Hosting", "Simulation", "TestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HostingTests",
            dependencies: [
                "AccessoryFiles", "AccessoryModel", "AsyncPrimitives", "Certificates", "ControllerTestSupport",
                "Discovery", "Documents", "HAPController", "HAPCore", "HAPServer", "HomeModel", "HomeRuntime",
                "HostTestSupport", "Hosting", "Simulation", "TestSupport",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "WebConsoleTests",
            dependencies: [
                "AccessoryFiles", "AccessoryModel", "AsyncPrimitives", "Discovery", "Documents", "HAPCore", "HAPServer",
                "HomeModel", "HomeRuntime", "HostTestSupport", "Hosting", "Resources", "Simulation", "TestSupport",
                "WebConsole",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "hapTests",
            dependencies: [
                "AccessoryFiles", "AccessoryModel", "Discovery", "Documents", "HAPController", "HAPCore", "HAPServer",
                "HomeModel", "HomeRuntime", "HostTestSupport", "Hosting", "Resources", "Simulation", "Storage",
                "TestSupport", "WebConsole", "YAMLDocuments", "hap",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            // Read where they are, so that they can be written there, too.
            exclude: ["ExternalNames"],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6],
    // #embed, for the files of the page and of the gallery.
    cLanguageStandard: .gnu2x
)

let nio: [Target.Dependency] = [
    .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOEmbedded", package: "swift-nio"),
]
// For the package in Fuzz, which makes a program of each, and for FuzzTests.
for (name, modules) in [
    ("CoreFuzzTargets", ["Cast", "Discovery", "TestSupport"]),
    ("ControllerFuzzTargets", ["AccessoryModel", "HAPController"] + nio),
    ("FilesFuzzTargets", ["AccessoryFiles", "AccessoryModel", "Documents", "HomeModel", "Simulation", "TestSupport"]),
    ("ServerFuzzTargets", ["AccessoryModel", "Discovery", "HAPServer", "Simulation", "TestSupport"] + nio),
] {
    let path = "Fuzz/Sources/\(name)"
    let modules = ["FuzzHarness", "HAPCore"] + modules
    package.products.append(.library(name: name, targets: [name, "FuzzHarness"]))
    package.targets.append(.target(name: name, dependencies: modules, path: path, swiftSettings: settings))
}

// The programs of Tests/Consumer and Examples. Like a user's package, they can access only public declarations: what they
// need and what is not public is an error of `make build-tests`.
let observing: [Target.Dependency] = [
    "HAPController", "HAPServer",
    .product(name: "CoreMetrics", package: "swift-metrics"), .product(name: "Logging", package: "swift-log"),
    .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
    .product(name: "UnixSignals", package: "swift-service-lifecycle"),
]
for (name, path, modules, settings) in [
    // Copies of the examples in README and in the controller's guide; `make fixtures` writes them.
    ("ConsumerReadme", "Tests/Consumer/Sources/Readme", ["HAPServer"], []),
    ("ConsumerRemote", "Tests/Consumer/Sources/Remote", ["HAPController"], []),
    ("ConsumerLamp", "Examples/Lamp/Sources/Lamp", ["HAPServer"], []),
    ("ConsumerObserved", "Tests/Consumer/Sources/Observed", observing, []),
    (
        "ConsumerPublicInterface", "Tests/Consumer/Sources/PublicInterface", observing,
        [.enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility")]
    ),
] as [(String, String, [Target.Dependency], [SwiftSetting])] {
    package.targets.append(
        .executableTarget(
            name: name,
            dependencies: modules,
            path: path,
            packageAccess: false,
            swiftSettings: settings
        )
    )
}
