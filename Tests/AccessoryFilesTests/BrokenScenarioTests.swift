import AccessoryFiles
import AccessoryModel
import Documents
import Foundation
import Simulation
import Testing

/// Tests that all errors of a scenario are reported at once, before it starts.
///
/// Run with `HAP_WRITE_FIXTURES=1` to update the expected diagnostics.
@Suite
struct BrokenScenarioTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "BrokenScenarios")

    private static let names: [String] = {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
    }()

    @Test
    func thereAreBrokenScenarios() {
        #expect(Self.names.count >= 28)
    }

    @Test(arguments: names)
    func allDiagnosticsOfABrokenScenarioAreReportedAtOnce(name: String) throws {
        let bytes = [UInt8](try Data(contentsOf: Self.folder.appending(path: name + ".yaml")))
        let found = try Self.diagnostics(of: bytes, named: name + ".yaml")
        let file = Self.folder.appending(path: name + ".findings")
        if ProcessInfo.processInfo.environment["HAP_WRITE_FIXTURES"] != nil {
            try Data(found.utf8).write(to: file)
        }
        #expect(!found.isEmpty)
        #expect(found == (try String(contentsOf: file, encoding: .utf8)))
    }

    /// Returns the errors of the file or, if it can be read, those of running it on the Kilgo garage.
    private static func diagnostics(of bytes: [UInt8], named name: String) throws -> String {
        let garage = KilgoGarage.accessory(number: 1)
        let names = SimulationNames([try NamedServer(name: garage.key, unstarted: [garage])])
        do throws(DocumentError) {
            let scenario = try ScenarioFile.read(bytes, name: name)
            let (_, faults) = ScenarioPlan.make(of: scenario, with: names)
            return ScenarioFile.diagnostics(for: faults, in: name).map { $0.description + "\n" }.joined()
        } catch {
            return error.description + "\n"
        }
    }
}
