// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Player",
    dependencies: [.package(name: "swift-hap", path: "../..")],
    targets: [
        .executableTarget(name: "Player", dependencies: [.product(name: "CastSender", package: "swift-hap")])
    ]
)
