import Foundation
import HAPCore
import TestSupport
import Testing

@testable import hap

/// `hap validate` for files that are not served.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ValidateCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let scenario = """
        scenario: Open it
        steps:
          - set: Garage Door/Target Door State
            to: Open

        """

    @Test func eachFileIsValidatedByItsKind() async throws {
        let files = [
            try folder.write(Self.scenario, to: "open.yaml"), try folder.write("home: Kilgo House\n", to: "home.yaml"),
            try folder.write("port: 51826\nhome: home.yaml\n", to: "options.yaml"),
            try folder.write("# port: 1\n", to: "hap.yaml"),
            try folder.write("home: home.yaml\n", to: "only-home.yaml"),
            try folder.write("scenario: open.yaml\n", to: "only-scenario.yaml"),
        ]
        let outcome = try await HapCommand(["validate"] + files).outcome()
        #expect(outcome.status == 0, "\(outcome)")
        let lines = outcome.output.split(separator: "\n")
        try #require(lines.count == 6)
        #expect(lines[0] == "\(files[0]): good: a scenario with 1 step; 'hap run \(files[0])' runs it")
        #expect(
            lines[1].hasPrefix("\(files[1]): good: a home file with 1 home; 'hap home import --dry-run \(files[1])'")
        )
        #expect(lines[2] == "\(files[2]): good: a configuration of 'hap serve'")
        for index in 3...5 {
            #expect(lines[index] == "\(files[index]): good: a configuration of 'hap serve'")
        }
    }

    @Test(
        arguments: [
            (scenario.replacing("Door/", with: "Dor/"), "scenario", ":3:5: steps[0]: there is no service"),
            (scenario.replacing("set:", with: "sett:"), "scenario", ":3:5: steps[0].sett: "),
            ("serve: missing.yaml\n" + scenario, "scenario", "missing.yaml: there is no such file"),
            ("home: missing.yaml\n" + scenario, "scenario", "missing.yaml: there is no such file"),
            ("home: H\nroms: [A]\n", "home", ":2:1: roms: unknown key; write \"rooms\""),
            ("port: x\n", "configuration", ":1:7: port: \"x\" is not a number; write a whole number from 0 to 65535"),
            ("copies: 3\nfiles: [a.yaml]\n", "configuration", "give either files or copies"),
        ]
    )
    func errorIsReportedWithTheFileKind(text: String, kind: String, diagnostic: String) async throws {
        let path = try folder.write(text, to: "file.yaml")
        let outcome = try await HapCommand.run("validate", path)
        #expect(outcome.status == 65)
        #expect(outcome.errors == "")
        #expect(outcome.output.contains(diagnostic), "\(outcome)")
        let report = try await HapCommand.run("validate", "--json", path)
        let file = try #require(
            try JSONValue(parsing: Array(report.output.utf8)).object?["files"]?.array?.first?.object
        )
        #expect(file["kind"]?.string == kind)
        #expect(file["valid"] == false)
        #expect(file["diagnostics"]?.array?.isEmpty == false)
    }

    @Test func eachDeviceOfAFileIsValidated() throws {
        let path = try folder.write(String(decoding: Dumps.entityMap, as: UTF8.self), to: "entity-map")
        #expect(ValidationReport.reports(of: [path]).map(\.isValid) == [true, true, true])
    }
}
