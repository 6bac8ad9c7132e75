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

/// The products of other packages that several targets use.
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let coreMetrics: Target.Dependency = .product(name: "CoreMetrics", package: "swift-metrics")
let dequeModule: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioEmbedded: Target.Dependency = .product(name: "NIOEmbedded", package: "swift-nio")
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let nioSSL: Target.Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl")
let realModule: Target.Dependency = .product(name: "RealModule", package: "swift-numerics")
let serviceLifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let unixSignals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")

let package = Package(
    name: "swift-hap",
    products: [
        .executable(name: "hap", targets: ["hap"]),
        .library(name: "HAPServer", targets: ["HAPServer", "Discovery", "Storage", "AccessoryModel", "HAPCore"]),
        .library(
            name: "HAPController",
            targets: ["HAPController", "Discovery", "Storage", "AccessoryModel", "HAPCore"]
        ),
        // For Linux: on Apple's platforms, the module of the system has this name.
        .library(name: "HomeKit", targets: ["HomeKit"]),
        // For tests of apps that use HomeKit: simulated accessories, and their trait for Swift Testing.
        .library(name: "HomeKitSimulator", targets: ["HomeKitSimulator"]),
        .library(name: "HomeKitTesting", targets: ["HomeKitTesting", "HomeKitSimulator"]),
        .library(name: "CastSender", targets: ["CastSender", "CastImages", "Cast", "Discovery", "HAPCore"]),
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
            name: "ByteChannels",
            dependencies: [nioCore, .product(name: "NIOTLS", package: "swift-nio")],
            path: "Sources/System/ByteChannels",
            swiftSettings: settings
        ),
        .target(
            name: "HAPCore",
            dependencies: ["CSodium", "CCrypto"],
            path: "Sources/Protocol/HAPCore",
            swiftSettings: settings,
            // Of a Double that is made an integer exactly, when nothing else brings the library in.
            linkerSettings: [.linkedLibrary("m")]
        ),
        .target(
            name: "Fetching",
            dependencies: [
                "AsyncPrimitives", "HAPCore", nioCore, nioHTTP1, nioPosix, nioSSL,
            ],
            path: "Sources/System/Fetching",
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
                "AccessoryModel", "AirPlay", "Cast", "Documents", "HAPCore",
                // Of rooms that warm and cool: the modules of values have neither Foundation nor the C library.
                realModule,
            ],
            path: "Sources/Simulator/Simulation",
            swiftSettings: settings
        ),
        .target(
            name: "HomeModel",
            dependencies: [
                "AccessoryModel", "Documents", "HAPCore", .product(name: "HeapModule", package: "swift-collections"),
                // Of the sun's sines: the modules of values have neither Foundation nor the C library.
                realModule,
            ],
            path: "Sources/Homes/HomeModel",
            swiftSettings: settings
        ),
        .target(
            name: "AccessoryFiles",
            dependencies: [
                "AccessoryModel", "CGalleryFiles", "Documents", "HAPCore", "HomeModel", "PropertyLists", "Simulation",
                "YAMLDocuments",
            ],
            path: "Sources/Files/AccessoryFiles",
            swiftSettings: settings
        ),
        .target(
            name: "Storage",
            dependencies: ["AccessoryModel", "CGlibc", "HAPCore", grdb],
            path: "Sources/System/Storage",
            swiftSettings: settings
        ),
        .target(
            name: "Discovery",
            dependencies: ["AsyncPrimitives", "CAvahi", "HAPCore", dequeModule],
            path: "Sources/System/Discovery",
            swiftSettings: settings
        ),
        .target(
            name: "HAPServer",
            dependencies: [
                "AccessoryModel", "AsyncPrimitives", "CGlibc", "Discovery", "HAPCore", "Storage", nioCore, nioPosix,
                coreMetrics, logging, serviceLifecycle, unixSignals,
            ],
            path: "Sources/Server/HAPServer",
            swiftSettings: settings
        ),
        .target(
            name: "HAPController",
            dependencies: [
                "AccessoryModel", "AsyncPrimitives", "Discovery", "HAPCore", "Storage", grdb, nioCore, nioPosix,
            ],
            path: "Sources/Controller/HAPController",
            swiftSettings: settings
        ),
        .target(
            name: "HomeRuntime",
            dependencies: [
                "AccessoryModel", "AsyncPrimitives", "HAPController", "HAPCore", "HomeModel", "Storage", dequeModule,
                grdb,
            ],
            path: "Sources/Homes/HomeRuntime",
            swiftSettings: settings
        ),
        .target(
            name: "HomeKit",
            dependencies: [
                "AccessoryModel", "AsyncPrimitives", "Discovery", "Documents", "HAPController", "HAPCore", "HomeModel",
                "HomeRuntime", "Storage",
            ],
            path: "Sources/Homes/HomeKit",
            // Foundation for Linux deprecates NSComparisonPredicate, whose operators Apple's framework takes.
            swiftSettings: settings + [.treatWarning("DeprecatedDeclaration", as: .warning)]
        ),
        .target(
            name: "Hosting",
            dependencies: [
                "AccessoryFiles", "AccessoryModel", "AsyncPrimitives", "ByteChannels", "Discovery", "Documents",
                "HAPCore", "HAPServer", "HomeModel", "HomeRuntime", "Resources", "Simulation", "Storage", logging,
                nioCore, nioPosix, nioSSL, serviceLifecycle, .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"), unixSignals,
            ],
            path: "Sources/Process/Hosting",
            swiftSettings: settings
        ),
        .target(
            name: "CastDriver",
            dependencies: [
                "AccessoryModel", "AsyncPrimitives", "Cast", "CastSender", "Certificates", "Discovery", "HAPCore",
                "HAPServer", "Hosting", "Simulation",
            ],
            path: "Sources/Process/CastDriver",
            swiftSettings: settings
        ),
        .target(
            name: "AirPlayDriver",
            dependencies: [
                "AccessoryModel", "AirPlay", "AsyncPrimitives", "Discovery", "Fetching", "HAPCore", "HAPServer",
                "Hosting", "PropertyLists", "Simulation",
            ],
            path: "Sources/Process/AirPlayDriver",
            swiftSettings: settings
        ),
        .target(
            name: "CastSender",
            dependencies: [
                "AsyncPrimitives", "ByteChannels", "Cast", "Certificates", "Discovery", "HAPCore", nioCore, nioHTTP1,
                nioPosix, nioSSL,
            ],
            path: "Sources/Controller/CastSender",
            swiftSettings: settings
        ),
        // Apart from CastSender, so that a program without pictures does not link an HTTP client.
        .target(
            name: "CastImages",
            dependencies: ["AsyncPrimitives", "Fetching", "HAPCore"],
            path: "Sources/Controller/CastImages",
            swiftSettings: settings
        ),
        .target(
            name: "WebConsole",
            dependencies: [
                "AccessoryFiles", "AccessoryModel", "AsyncPrimitives", "CGlibc", "CPageFiles",
                "CQREncode", "CZlib", "Discovery", "Documents", "HAPCore", "HAPServer", "HomeModel", "HomeRuntime",
                "Hosting", "Resources", "Simulation", "Storage", coreMetrics, dequeModule, httpTypes,
                // The server alone: the router follows from the table of operations.
                .product(name: "HummingbirdCore", package: "hummingbird"),
                logging, nioCore, nioHTTP1, nioPosix,
            ],
            path: "Sources/Process/WebConsole",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "hap",
            dependencies: [
                "AccessoryFiles", "AccessoryModel", "AirPlayDriver", "AsyncPrimitives", "CastDriver", "CastSender",
                "Discovery", "Documents", "HAPController", "HAPCore", "HAPServer", "HomeModel", "HomeRuntime",
                "Hosting",
                "Resources", "Simulation", "Storage", "WebConsole", "YAMLDocuments", argumentParser, dequeModule,
                logging, serviceLifecycle, unixSignals,
            ],
            path: "Sources/Commands/hap",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "BridgeBenchmark",
            dependencies: ["AccessoryModel", "HAPCore", "HAPServer", "Storage", unixSignals],
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
                "HAPServer", "HomeKit", "HomeModel", "HomeRuntime", "HostTestSupport", "Hosting", "TestSupport",
                "WebConsole",
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
            dependencies: [argumentParser],
            path: "Sources/Accessories/CatalogGenerator",
            exclude: ["Input"],
            swiftSettings: settings
        ),

        .executableTarget(
            name: "MicroBenchmarks",
            dependencies: [
                "AccessoryModel", "Discovery", "HAPCore", "HAPServer", "HomeModel", "Simulation", "TestSupport",
                nioCore, nioEmbedded,
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
                "AccessoryModel", "Discovery", "HAPServer", "Hosting", "Simulation", "TestSupport", nioCore, nioPosix,
                nioSSL,
            ],
            path: "Tests/HostTestSupport",
            swiftSettings: settings
        ),
        .target(
            name: "HTTPTestSupport",
            dependencies: [nioCore, nioHTTP1, nioPosix, nioSSL],
            path: "Tests/HTTPTestSupport",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "CrashTest",
            dependencies: [
                "AccessoryModel", "Documents", "HAPCore", "HAPServer", "Storage", "TestSupport", argumentParser, grdb,
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
            name: "HomeModelTests",
            dependencies: ["AccessoryFiles", "AccessoryModel", "Documents", "HAPCore", "HomeModel", "TestSupport"],
            exclude: ["Phrases/phrases.tsv"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "AccessoryFilesTests",
            dependencies: [
                "AccessoryFiles", "AccessoryModel", "Documents", "HAPCore", "HomeModel", "PropertyLists", "Simulation",
                "TestSupport", "YAMLDocuments",
            ],
            exclude: ["Broken", "BrokenHomes", "BrokenScenarios", "Pictures"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "StorageTests",
            dependencies: [
                "AccessoryFiles", "AccessoryModel", "ControllerTestSupport", "HAPController", "HAPCore", "HomeModel",
                "HomeRuntime", "Storage", "TestSupport", grdb,
            ],
            exclude: ["Released"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HomeKitTests",
            dependencies: [
                "AccessoryModel", "Documents", "HAPController", "HAPCore", "HAPServer", "HomeKit", "HomeModel",
                "HomeRuntime",
                "HostTestSupport", "Hosting", "Simulation", "TestSupport",
            ],
            swiftSettings: settings + [.treatWarning("DeprecatedDeclaration", as: .warning)]
        ),
        .testTarget(
            name: "hapTests",
            dependencies: [
                "AccessoryFiles", "AccessoryModel", "Discovery", "Documents", "HAPController", "HAPCore", "HAPServer",
                "HomeModel", "HomeRuntime", "HostTestSupport", "Hosting", "Resources", "Simulation", "Storage",
                "TestSupport", "WebConsole", "YAMLDocuments", "hap", argumentParser, serviceLifecycle, unixSignals,
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

// Targets without settings of their own.
for (path, modules) in [
    ("Sources/Accessories/AccessoryModel", ["HAPCore"]),
    (
        "Sources/Process/HomeKitSimulator",
        [
            "AccessoryFiles", "AccessoryModel", "Discovery", "Documents", "HAPController", "HAPCore", "HAPServer",
            "HomeKit", "HomeModel", "HomeRuntime", "Hosting", "Simulation", "Storage",
        ]
    ),
    ("Sources/Process/HomeKitTesting", ["HomeKitSimulator"]),
    (
        "Sources/Process/Resources",
        ["AccessoryModel", "Documents", "HAPCore", "HomeModel", "HomeRuntime", "Simulation"]
    ),
    ("Sources/Protocol/AirPlay", ["HAPCore", "PropertyLists"]),
    ("Sources/Protocol/Cast", ["HAPCore"]),
    ("Sources/System/Certificates", ["CCrypto", "HAPCore"]),
    ("Sources/System/Documents", ["HAPCore"]),
    ("Sources/System/PropertyLists", ["Documents", "HAPCore"]),
] as [(String, [Target.Dependency])] {
    let name = path.split(separator: "/").last.map { String($0) } ?? path
    package.targets.append(.target(name: name, dependencies: modules, path: path, swiftSettings: settings))
}

// The tests without settings and files of their own.
for (name, modules) in [
    ("AccessoryModelTests", ["AccessoryModel", "CatalogGenerator", "HAPCore", "Simulation", "TestSupport"]),
    (
        "AirPlayDriverTests",
        [
            "AccessoryModel", "AirPlay", "AirPlayDriver", "HAPCore", "HAPServer", "HTTPTestSupport", "HostTestSupport",
            "Hosting", "PropertyLists", "Simulation", "TestSupport", nioCore, nioHTTP1,
        ]
    ),
    ("AirPlayTests", ["AirPlay", "HAPCore", "PropertyLists", "TestSupport"]),
    ("AsyncPrimitivesTests", ["AsyncPrimitives"]),
    (
        "CastDriverTests",
        [
            "AccessoryFiles", "AccessoryModel", "Cast", "CastDriver", "CastSender", "Certificates", "HAPCore",
            "HAPServer", "HostTestSupport", "Hosting", "Simulation", "TestSupport",
        ]
    ),
    ("CastImagesTests", ["AsyncPrimitives", "CastImages", "Fetching", "HTTPTestSupport", "TestSupport", nioHTTP1]),
    ("CastSenderTests", ["Cast", "CastSender", "HAPCore", "TestSupport"]),
    ("CastTests", ["Cast", "HAPCore", "TestSupport"]),
    ("CertificatesTests", ["Certificates", "TestSupport"]),
    ("DiscoveryTests", ["Discovery", "HAPCore", "TestSupport"]),
    ("DocumentsTests", ["Documents", "HAPCore", "TestSupport"]),
    (
        "FetchingTests",
        [
            "AsyncPrimitives", "Certificates", "Fetching", "HTTPTestSupport", "TestSupport", nioCore, nioHTTP1,
            nioPosix, nioSSL,
        ]
    ),
    (
        "FuzzTests",
        [
            "ControllerFuzzTargets", "CoreFuzzTargets", "FilesFuzzTargets", "FuzzHarness", "HAPCore",
            "ServerFuzzTargets",
        ]
    ),
    (
        "HAPControllerTests",
        [
            "AccessoryModel", "AsyncPrimitives", "ControllerTestSupport", "Discovery", "HAPController", "HAPCore",
            "HAPServer", "Simulation", "Storage", "TestSupport", nioCore, nioEmbedded, nioPosix,
        ]
    ),
    ("HAPCoreTests", ["HAPCore", "TestSupport"]),
    ("HomeKitSimulatorTests", ["HomeKit", "HomeKitSimulator", "HomeKitTesting", "TestSupport"]),
    (
        "HAPServerTests",
        [
            "AccessoryFiles", "AccessoryModel", "Discovery", "HAPCore", "HAPServer", "Simulation", "Hosting",
            "TestSupport", coreMetrics, .product(name: "InMemoryLogging", package: "swift-log"), logging,
            .product(name: "MetricsTestKit", package: "swift-metrics"), nioCore, nioEmbedded, nioPosix,
            serviceLifecycle,
        ]
    ),
    (
        "HomeRuntimeTests",
        [
            "AccessoryFiles", "AccessoryModel", "AsyncPrimitives", "ControllerTestSupport", "Discovery", "Documents",
            "HAPController", "HAPCore", "HAPServer", "HomeModel", "HomeRuntime", "HostTestSupport", "Hosting",
            "Simulation", "TestSupport",
        ]
    ),
    (
        "HostingTests",
        [
            "AccessoryFiles", "AccessoryModel", "AsyncPrimitives", "Certificates", "ControllerTestSupport",
            "Discovery", "Documents", "HAPController", "HAPCore", "HAPServer", "HomeModel", "HomeRuntime",
            "HostTestSupport", "Hosting", "Simulation", "TestSupport", nioCore, nioPosix, nioSSL, serviceLifecycle,
            unixSignals,
        ]
    ),
    ("PropertyListsTests", ["Documents", "PropertyLists"]),
    (
        "SimulationTests",
        [
            "AccessoryFiles", "AccessoryModel", "AirPlay", "Documents", "HAPCore", "Simulation", "TestSupport",
        ]
    ),
    (
        "WebConsoleTests",
        [
            "AccessoryFiles", "AccessoryModel", "AsyncPrimitives", "Discovery", "Documents", "HAPCore", "HAPServer",
            "HomeModel", "HomeRuntime", "HostTestSupport", "Hosting", "Resources", "Simulation", "TestSupport",
            "WebConsole", coreMetrics, httpTypes,
        ]
    ),
] as [(String, [Target.Dependency])] {
    package.targets.append(.testTarget(name: name, dependencies: modules, swiftSettings: settings))
}

let nio: [Target.Dependency] = [nioCore, nioEmbedded]
// For the package in Fuzz, which makes a program of each, and for FuzzTests.
for (name, modules) in [
    ("CoreFuzzTargets", ["AirPlay", "Cast", "Discovery", "PropertyLists", "TestSupport"]),
    ("ControllerFuzzTargets", ["AccessoryModel", "HAPController"] + nio),
    (
        "FilesFuzzTargets",
        ["AccessoryFiles", "AccessoryModel", "Documents", "HomeModel", "PropertyLists", "Simulation", "TestSupport"]
    ),
    ("ServerFuzzTargets", ["AccessoryModel", "Discovery", "HAPServer", "Simulation", "TestSupport"] + nio),
] {
    let path = "Fuzz/Sources/\(name)"
    let modules = ["FuzzHarness", "HAPCore"] + modules
    package.products.append(.library(name: name, targets: [name, "FuzzHarness"]))
    package.targets.append(.target(name: name, dependencies: modules, path: path, swiftSettings: settings))
}

// The app in Examples/KilgoApp, and its tests. Like the programs below, they can access only public declarations.
package.targets += [
    .target(
        name: "KilgoApp",
        dependencies: ["HomeKit"],
        path: "Examples/KilgoApp/Sources/KilgoApp",
        packageAccess: false
    ),
    .testTarget(
        name: "KilgoAppTests",
        dependencies: ["HomeKit", "HomeKitTesting", "KilgoApp"],
        path: "Examples/KilgoApp/Tests/KilgoAppTests",
        packageAccess: false
    ),
]

// The programs of Tests/Consumer and Examples. Like a user's package, they can access only public declarations: what they
// need and what is not public is an error of `make build-tests`.
let observing: [Target.Dependency] = [
    "HAPController", "HAPServer", coreMetrics, logging, serviceLifecycle, unixSignals,
]
for (name, path, modules, settings) in [
    // Copies of the examples in README and in the controller's guide; `make fixtures` writes them.
    ("ConsumerReadme", "Tests/Consumer/Sources/Readme", ["HAPServer"], []),
    ("ConsumerRemote", "Tests/Consumer/Sources/Remote", ["HAPController"], []),
    ("ConsumerLamp", "Examples/Lamp/Sources/Lamp", ["HAPServer"], []),
    ("ConsumerPlayer", "Examples/CastSender/Sources/Player", ["CastSender"], []),
    // Apps as for iOS, written without knowledge of this package; Tests/HomeKitApps/README.md says what had to change.
    ("ConsumerHomeLister", "Tests/HomeKitApps/HomeLister", ["HomeKit"], [.swiftLanguageMode(.v5)]),
    ("ConsumerSceneStudio", "Tests/HomeKitApps/SceneStudio", ["HomeKit"], [.swiftLanguageMode(.v5)]),
    ("ConsumerDashboard", "Tests/HomeKitApps/Dashboard", ["HomeKit"], []),
    ("ConsumerFinder", "Tests/HomeKitApps/Finder", ["HomeKit"], []),
    ("ConsumerKilgo", "Examples/KilgoApp/Sources/kilgo", ["HomeKit", "HomeKitSimulator", "KilgoApp"], []),
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
