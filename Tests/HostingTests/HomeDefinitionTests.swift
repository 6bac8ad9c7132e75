import Foundation
import Hosting
import TestSupport
import Testing

/// The definitions that a home file names.
@Suite struct HomeDefinitionTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["Lamp", "Fan"] {
            let service = name == "Lamp" ? "Lightbulb" : "Fan"
            _ = try folder.write("accessory: \(name)\nservices:\n  - type: \(service)\n", to: "\(name).yaml")
        }
        let bridge = "bridge: Hub\naccessories:\n  - accessory: Plug\n    services:\n      - type: Outlet\n"
        _ = try folder.write(bridge, to: "Hub.yaml")
        _ = try folder.write("accessory: Bad\nservices:\n  - type: Lightbulp\n", to: "Bad.yaml")
    }

    private func write(_ accessories: [String]) throws -> String {
        try folder.write("home: House\naccessories:\n\(accessories.map { "  - \($0)\n" }.joined())", to: "home.yaml")
    }

    @Test(arguments: [
        (["{ accessory: Lamp, definition: Lamp.yaml }"], [], ["Lamp"]),
        (["{ accessory: Lamp, definition: ./Lamp.yaml }"], ["Fan.yaml", "Lamp.yaml"], ["Fan", "Lamp"]),
        (["{ accessory: Hub, definition: Hub.yaml }", "{ accessory: Plug, definition: Hub.yaml }"], [], ["Hub"]),
        (["{ accessory: Fan, definition: Fan.yaml }", "Lamp"], ["Lamp.yaml", "Lamp.yaml"], ["Lamp", "Fan"]),
        (["Lamp"], [], ["Kilgo Garage"]),
    ])
    func eachNamedFileIsServedOnce(accessories: [String], files: [String], served: [String]) throws {
        let home = try write(accessories)
        let loaded = try HostedContent.load(
            files.map { NamedFile(folder($0)) },
            home: HomeSource(NamedFile(home)),
            nil
        )
        #expect(loaded.served.map(\.name) == served)
        #expect(loaded.warnings.isEmpty)
    }

    @Test func missingAndBrokenDefinitionsAreReportedWithThePlaceInTheHomeFile() throws {
        let home = try write([
            "{ accessory: Lamp, definition: Lmap.yaml }", "{ accessory: Bad, definition: Bad.yaml }",
            "{ accessory: Lmap, definition: Lamp.yaml }",
        ])
        let error = try #require(
            #expect(throws: HostError.self) { try HostedContent.load([], home: HomeSource(NamedFile(home)), nil) }
        )
        let lines = error.diagnostics.map { "\($0.line)\n" }.joined().replacingOccurrences(of: folder(""), with: "")
        #expect(
            lines == """
                home.yaml:5:18: warning: accessories[2].accessory: the definition Lamp.yaml has no accessory with this \
                name; write Lamp
                home.yaml:3:36: accessories[0].definition: the definition Lmap.yaml cannot be served; correct its path \
                or the file
                Lmap.yaml: there is no such file; check the name
                home.yaml:4:35: accessories[1].definition: the definition Bad.yaml cannot be served; correct its path \
                or the file
                Bad.yaml:3:11: services[0].type: there is no service "Lightbulp"; write Lightbulb

                """
        )
    }

    @Test func copiesOfTheGarageAreRefusedBesideDefinitions() throws {
        let home = try write(["{ accessory: Lamp, definition: Lamp.yaml }"])
        #expect(throws: HostError.copiesOfFiles(.usage)) {
            try HostedContent.load([], home: HomeSource(NamedFile(home)), copies: 2, nil)
        }
    }
}
