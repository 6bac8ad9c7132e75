import Foundation
import HAPCore
import TestSupport
import Testing

/// `hap home show` with different stored states.
@Suite(.serialized, .timeLimit(.minutes(5))) struct HomeShowTests {
    private func files(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    @Test func damagedControllerStateDoesNotPreventShowingAHome() async throws {
        let home = try await HomeCommandFixture()
        #expect(try await home("add", "home", "House").status == 0)
        let path = home.state + "/controller.sqlite"
        let damage = Data("this is no database".utf8)
        try damage.write(to: URL(fileURLWithPath: path))
        let shown = try await home("show")
        #expect(shown.status == 0 && shown.output == "House (primary)\n", "\(shown)")
        #expect(shown.errors.hasPrefix("hap: ") && shown.errors.count { $0 == "\n" } == 1, "\(shown)")
        #expect(shown.errors.contains(path), "\(shown)")
        let json = try await home("--json")
        #expect(json.status == 0, "\(json)")
        let homes = try JSONValue(parsing: Array(json.output.utf8)).object?["homes"]?.array
        #expect(homes?.first?.object?["name"]?.string == "House")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == damage)
    }

    @Test func listingCreatesNothing() async throws {
        let home = try await HomeCommandFixture()
        let none = try await home()
        #expect(none.status == 0 && none.errors.isEmpty, "\(none)")
        #expect(none.output == "There is no home yet; add one with hap home add home NAME.\n")
        #expect(!FileManager.default.fileExists(atPath: home.state))
        let named = try await home("show", "--home", "House")
        #expect(named.status == 64 && !FileManager.default.fileExists(atPath: home.state), "\(named)")

        #expect(try await home("add", "home", "House").status == 0)
        let before = files(in: home.state)
        let shown = try await home()
        #expect(shown.status == 0 && shown.errors.isEmpty && shown.output == "House (primary)\n", "\(shown)")
        #expect(files(in: home.state) == before && !before.contains("controller.sqlite"), "\(before)")
    }

    /// A write-ahead log without its database is an error, and not an empty store.
    @Test func missingDatabaseIsNotAnEmptyOne() async throws {
        let home = try await HomeCommandFixture()
        try FileManager.default.createDirectory(atPath: home.state, withIntermediateDirectories: true)
        try Data("log".utf8).write(to: URL(fileURLWithPath: home.state + "/homes.sqlite-wal"))
        let shown = try await home()
        #expect(shown.status == 1 && shown.errors.contains("but its log exists"), "\(shown)")
    }
}
