// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "KilgoApp",
    platforms: [.iOS(.v17)],
    products: [.library(name: "KilgoApp", targets: ["KilgoApp"])],
    dependencies: [
        // In your own package, write: .package(url: "…/swift-hap", from: "…")
        .package(name: "swift-hap", path: "../..")
    ],
    targets: [
        // The logic of the app. On iOS, its HomeKit is Apple's.
        .target(
            name: "KilgoApp",
            dependencies: [.product(name: "HomeKit", package: "swift-hap", condition: .when(platforms: [.linux]))]
        ),
        // Its front end for terminals.
        .executableTarget(
            name: "kilgo",
            dependencies: [
                "KilgoApp",
                .product(name: "HomeKit", package: "swift-hap", condition: .when(platforms: [.linux])),
                .product(name: "HomeKitSimulator", package: "swift-hap", condition: .when(platforms: [.linux])),
            ]
        ),
        .testTarget(
            name: "KilgoAppTests",
            dependencies: [
                "KilgoApp",
                .product(name: "HomeKit", package: "swift-hap", condition: .when(platforms: [.linux])),
                .product(name: "HomeKitTesting", package: "swift-hap", condition: .when(platforms: [.linux])),
            ]
        ),
    ]
)
