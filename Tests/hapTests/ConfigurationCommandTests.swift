import Foundation
import TestSupport
import Testing

/// `hap serve --config`.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ConfigurationCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func fileIsUsedAndTheCommandLineOverridesIt() async throws {
        let text = """
            bind: 127.0.0.1
            advertise: off
            state: \(folder("kept"))
            setup-code: 101-48-005
            ready-file: \(folder("ready"))
            strict: true
            """
        let path = try folder.write(text, to: "hap.yaml")
        for (arguments, code) in [([], "101-48-005"), (["--setup-code", "202-48-005"], "202-48-005")] {
            let process = try HapCommand(["serve", "--config", path] + arguments)
            try await HapCommand.wait { FileManager.default.fileExists(atPath: folder("ready")) }
            let ready = try ReadyServer(Array(FileManager.default.contents(atPath: folder("ready")) ?? Data()))
            #expect(ready.setupCode == code)
            #expect(try await process.terminate().status == 0)
        }
        #expect(FileManager.default.fileExists(atPath: folder("kept/hap.sqlite")))
    }

    @Test func everyErrorHasItsLocation() async throws {
        let path = try folder.write("port: 70000\nbogus: 1\n\nstrict: [1]\nsetup-code: 101-48006\n", to: "hap.yaml")
        let outcome = try await HapCommand.run("serve", "--config", path, "--advertise", "off")
        #expect(outcome.status == 65)
        #expect(outcome.output == "")
        let lines = outcome.errors.split(separator: "\n")
        #expect(lines.count == 4)
        for (line, beginning) in zip(lines, ["1:7: port: ", "2:1: bogus: ", "4:9: strict: ", "5:13: setup-code: "]) {
            #expect(line.contains("\(path):\(beginning)"))
        }
        #expect(!outcome.errors.contains("48006"))
    }

    @Test(arguments: [
        "port: \"open\nsetup-code: 101-48-006", "[[[", "port: 1\nport: 2\nsetup-code: 101-48-006", "- port", "port",
        String(repeating: "[", count: 100_000), String(repeating: "{a: ", count: 100_000), "&a [*a]", "a: *b",
        "--- 1\n--- 2", "\u{7}",
    ])
    func invalidConfigurationIsReportedInOneSentence(text: String) async throws {
        let path = try folder.write(text, to: "hap.yaml")
        let outcome = try await HapCommand.run("serve", "--config", path, "--advertise", "off", "--state", folder("s"))
        #expect(outcome.status == 65)
        #expect(outcome.isOneSentence, "\(outcome)")
        #expect(outcome.errors.contains(path))
        #expect(outcome.errors.count < 500)
        #expect(!outcome.errors.contains("101-48-006"))
    }

    @Test func missingFileIsAnError() async throws {
        let outcome = try await HapCommand.run("serve", "--config", folder("missing.yaml"), "--advertise", "off")
        #expect(outcome.status == 65)
        #expect(outcome.isOneSentence, "\(outcome)")
        #expect(outcome.errors.contains(folder("missing.yaml")))
    }

    @Test func invalidUTF8IsAnError() async throws {
        try Data([0x70, 0xFF, 0xFE]).write(to: URL(fileURLWithPath: folder("hap.yaml")))
        let outcome = try await HapCommand.run("serve", "--config", folder("hap.yaml"), "--advertise", "off")
        #expect(outcome.status == 65)
        #expect(outcome.isOneSentence, "\(outcome)")
    }
}
