import Foundation
import HAPCore
import TestSupport
import Testing

/// `hap convert` and `hap validate`.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ConvertCommandTests {
    private let folder: TemporaryFolder
    private let lamp: String

    init() throws {
        folder = try TemporaryFolder()
        lamp = try folder.write("accessory: Lamp\nservices:\n  - type: Lightbulb\n", to: "lamp.yaml")
    }

    private func content(_ name: String) -> String? {
        FileManager.default.contents(atPath: folder(name)).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func extensionSelectsTheOutputFormat() async throws {
        for name in ["lamp.json", "lamp.hasaccessory", "again.yml"] {
            let outcome = try await HapCommand.run("convert", lamp, folder(name))
            #expect(outcome.status == 0, "\(outcome)")
            #expect(outcome.output == "")
            #expect(try await HapCommand.run("validate", folder(name)).status == 0)
            // The file can contain a setup code, so only the owner may read it.
            let attributes = try FileManager.default.attributesOfItem(atPath: folder(name))
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        #expect(content("lamp.json")?.hasPrefix("{\n") == true)
        #expect(content("lamp.hasaccessory")?.hasPrefix("bplist00") == true)
        #expect(content("again.yml")?.contains("accessory: Lamp\n") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 4)
    }

    @Test func standardOutputRequiresAFormat() async throws {
        let outcome = try await HapCommand.run("convert", lamp, "-", "--as", "json")
        #expect(outcome.status == 0)
        #expect(try JSONValue(parsing: Array(outcome.output.utf8)).object?["accessory"]?.string == "Lamp")
        let lossy = try await HapCommand.run("convert", lamp, "-", "--as", "dump")
        #expect(lossy.errors.contains(" is lost"))
        #expect(lossy.errors.split(separator: "\n").allSatisfy { $0.hasPrefix("\(lamp): warning: ") }, "\(lossy)")
        let refused = try await HapCommand.run("convert", lamp, "-")
        #expect(refused.status == 64)
        #expect(refused.isOneSentence, "\(refused)")
        #expect(try await HapCommand.run("convert", lamp, folder("lamp.toml")).status == 64)
    }

    @Test func existingFileIsKeptUnlessForced() async throws {
        let path = try folder.write("mine", to: "mine.json")
        chmod(path, 0o640)
        let outcome = try await HapCommand.run("convert", lamp, path)
        #expect(outcome.status == 1)
        #expect(outcome.isOneSentence, "\(outcome)")
        #expect(outcome.errors.contains("--force"))
        #expect(content("mine.json") == "mine")
        #expect(try await HapCommand.run("convert", lamp, path, "--force").status == 0)
        #expect(content("mine.json")?.contains("Lamp") == true)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o640)
    }

    @Test func linkRemainsALink() async throws {
        let path = try folder.write("mine", to: "mine.json")
        try FileManager.default.createSymbolicLink(atPath: folder("link.json"), withDestinationPath: path)
        #expect(try await HapCommand.run("convert", lamp, folder("link.json"), "--force").status == 0)
        #expect(content("mine.json")?.contains("Lamp") == true)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder("link.json")) == path)
    }

    @Test func failedWriteLeavesNoFile() async throws {
        let bad = try folder.write("accessory: Lamp\nservices:\n  - type: Lightbulp\n", to: "bad.yaml")
        for (arguments, status) in [
            ([bad, folder("out.json")], 65), ([lamp, folder("missing/out.json")], 1),
            ([lamp, folder.path, "--as", "yaml", "--force"], 1), ([folder("none.yaml"), folder("out.json")], 65),
        ] as [([String], Int32)] {
            let outcome = try await HapCommand(["convert"] + arguments).outcome()
            #expect(outcome.status == status, "\(outcome)")
            // A diagnostic begins with its file, as editors and scripts expect.
            #expect(outcome.errors.hasPrefix(status == 65 ? folder.path : "hap: "), "\(outcome)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["bad.yaml", "lamp.yaml"])
    }

    @Test func danglingLinkIsNotReplaced() async throws {
        let link = folder("link.json")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "nowhere.json")
        let outcome = try await HapCommand.run("convert", lamp, link)
        #expect(outcome.status == 1 && outcome.isOneSentence, "\(outcome)")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "nowhere.json")
    }

    @Test func filesThatCannotBeServedTogetherCauseAWarning() async throws {
        let outcome = try await HapCommand.run("validate", lamp, lamp)
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("\(lamp): warning: its id \"Lamp\" is also the id of \(lamp); "))
    }

    @Test func failedPrintIsAnError() async throws {
        for arguments in [["types", "lightbulb"], ["validate", lamp]] {
            let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
            let outcome = try await HapCommand(arguments, output: full).outcome()
            #expect(outcome.status == 1, "\(outcome)")
            #expect(outcome.errors.contains("the disk is full"))
        }
    }

    @Test func diagnosticsArePrintedAndExitWith65() async throws {
        let bad = try folder.write("accessory: A\nservices:\n  - type: Lightbulp\n    nmae: x\n", to: "bad.yaml")
        let outcome = try await HapCommand.run("validate", lamp, bad)
        #expect(outcome.status == 65)
        #expect(outcome.errors == "")
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[0] == "\(lamp): good: 1 accessory, 3 services, 8 characteristics; 8 required ones were added")
        #expect(lines[1].hasPrefix("\(bad):3:11: services[0].type: "))
        #expect(lines[2].hasPrefix("\(bad):4:5: services[0].nmae: "))
    }

    @Test func diagnosticsArePrintedAsJSON() async throws {
        let bad = try folder.write("accessory: A\nservices:\n  - type: Lightbulp\n", to: "bad.yaml")
        let outcome = try await HapCommand.run("validate", "--json", lamp, bad)
        #expect(outcome.status == 65)
        let files = try #require(try JSONValue(parsing: Array(outcome.output.utf8)).object?["files"]?.array)
        #expect(files.map { $0.object?["valid"] } == [.bool(true), .bool(false)])
        #expect(files[0].object?["key"]?.string == "Lamp")
        #expect(files[0].object?["characteristics"]?.unsigned == 8)
        let diagnostic = files[1].object?["diagnostics"]?.array?.first?.object
        #expect(diagnostic?["severity"]?.string == "error")
        #expect(diagnostic?["line"]?.unsigned == 3)
        #expect(diagnostic?["column"]?.unsigned == 11)
    }

    @Test func schemaIsPrintedAndAnUnknownTypeIsAnError() async throws {
        let outcome = try await HapCommand.run("types", "--schema")
        #expect(outcome.status == 0)
        #expect(try JSONValue(parsing: Array(outcome.output.utf8)).object?["$schema"] != nil)
        let unknown = try await HapCommand.run("types", "Lightbulp")
        #expect(unknown.status == 1)
        #expect(unknown.isOneSentence, "\(unknown)")
    }
}
