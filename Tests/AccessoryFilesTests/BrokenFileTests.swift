import AccessoryFiles
import AccessoryModel
import Documents
import Foundation
import HomeModel
import Simulation
import Testing

/// Tests that all errors of a file are reported at once: `NAME.findings` contains the expected diagnostics of
/// `NAME.yaml`.
///
/// Run with `HAP_WRITE_FIXTURES=1` to update the expected diagnostics.
@Suite
struct BrokenFileTests {
    /// A folder of broken files of one format.
    enum Folder: String, CaseIterable {
        case definitions = "Broken"
        case homes = "BrokenHomes"
        case scenarios = "BrokenScenarios"

        var url: URL {
            URL(filePath: #filePath).deletingLastPathComponent().appending(path: rawValue)
        }
    }

    /// The files without their extension.
    private static let files = Folder.allCases.flatMap { folder in
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.url.path)) ?? []
        return names.filter { $0.hasSuffix(".yaml") }.sorted().map { (folder, String($0.dropLast(5))) }
    }

    @Test(arguments: [(Folder.definitions, 45), (.homes, 7), (.scenarios, 28)])
    func folderContainsBrokenFiles(folder: Folder, minimum: Int) {
        #expect(Self.files.count { $0.0 == folder } >= minimum)
    }

    @Test(arguments: files)
    func allDiagnosticsOfABrokenFileAreReportedAtOnce(folder: Folder, name: String) throws {
        let bytes = [UInt8](try Data(contentsOf: folder.url.appending(path: name + ".yaml")))
        let found = try Self.diagnostics(of: bytes, in: folder, named: name + ".yaml")
        let file = folder.url.appending(path: name + ".findings")
        if ProcessInfo.processInfo.environment["HAP_WRITE_FIXTURES"] != nil {
            try Data(found.utf8).write(to: file)
        }
        #expect(!found.isEmpty)
        #expect(found == (try String(contentsOf: file, encoding: .utf8)))
    }

    private static func diagnostics(of bytes: [UInt8], in folder: Folder, named name: String) throws -> String {
        do {
            switch folder {
            case .definitions:
                _ = try AccessoryFile.read(bytes, name: name)
                return ""
            case .homes:
                let document = try HomeFile.read(bytes, name: name)
                let merge = HomeMerge(document, into: Homes(), known: [])
                return lines(HomeFile.diagnostics(of: merge, in: name))
            case .scenarios:
                let scenario = try ScenarioFile.read(bytes, name: name)
                let garage = KilgoGarage.accessory(number: 1)
                let names = try SimulationNames(unstarted: [(garage.key, [garage], false)])
                let (_, faults) = ScenarioPlan.make(of: scenario, with: names)
                return lines(ScenarioFile.diagnostics(for: faults, in: name))
            }
        } catch let error as DocumentError {
            return error.description + "\n"
        }
    }

    private static func lines(_ diagnostics: [some CustomStringConvertible]) -> String {
        diagnostics.map { "\($0)\n" }.joined()
    }
}
