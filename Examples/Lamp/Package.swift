// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Lamp",
    dependencies: [
        // In your own package, write: .package(url: "…/swift-hap", from: "…")
        .package(name: "swift-hap", path: "../..")
    ],
    targets: [
        .executableTarget(name: "Lamp", dependencies: [.product(name: "HAPServer", package: "swift-hap")])
    ]
)
