import Foundation
import TestSupport
import Testing

/// `hap home import` of accessories that are not found yet.
@Suite(.serialized, .timeLimit(.minutes(5))) struct HomeImportTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test func exampleHouseIsImportedBeforeAnyAccessoryIsFound() async throws {
        let home = try await HomeCommandFixture()
        let file = Self.root.appending(path: "Config/home.yaml").path
        let first = try await home("import", file)
        #expect(first.status == 0 && !first.errors.contains("left out"), "\(first)")
        #expect(first.output.hasSuffix("7 accessories are not found yet.\n"), "\(first)")
        let second = try await home("import", file)
        #expect(second.output == "No changes.\n7 accessories are not found yet.\n", "\(second)")
    }

    @Test func itemsWaitingForAnAccessoryAreReported() async throws {
        let home = try await HomeCommandFixture()
        let file = try home.folder.write(
            """
            home: House
            accessories: [Lamp]
            scenes:
              Dark: [{ set: Desk Lamp/On, to: false }, { set: Desk Lamp/Brightness, to: 1 }]

            """,
            to: "waiting.yaml"
        )
        let first = try await home("import", file)
        #expect(first.status == 0, "\(first)")
        let warning = "left out until the accessory is found: there is no service \"Desk Lamp\""
        #expect(first.errors.contains("waiting.yaml:4:17: warning: scenes.Dark[0].set: "), "\(first)")
        #expect(first.errors.contains(warning), "\(first)")
        let second = try await home("import", file)
        #expect(
            second.output == """
                No changes.
                1 accessory is not found yet.
                2 parts of the file wait for this; import the file again when every accessory is found.

                """,
            "\(second)"
        )
    }
}
