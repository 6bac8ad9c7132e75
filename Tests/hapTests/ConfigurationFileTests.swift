import ArgumentParser
import Documents
import Foundation
import HAPCore
import Hosting
import TestSupport
import Testing

@testable import hap

@Suite struct ConfigurationFileTests {
    private func errorText(_ text: String) -> String? {
        do {
            _ = try ConfigurationFile(text, path: "f.yaml")
            return nil
        } catch {
            let failure = CommandFailure(error)
            #expect(failure.code == .fileContent)
            return failure.message
        }
    }

    /// Each alias doubles the content of the previous one, and all of it is a key.
    @Test func aliasesThatExpandTooMuchAreRefused() {
        let doublings = (1...60).map { "&a\($0) [*a\($0 - 1), *a\($0 - 1)]" }.joined(separator: ", ")
        #expect(errorText("port: 5001\n? [&a0 x, \(doublings)]\n: 1\n")?.hasPrefix("f.yaml:2") == true)
        #expect(errorText("# * port: 51826\n") == nil)
        #expect(errorText("bind: &all 127.0.0.1\nstate: *all\n") == nil)
    }

    @Test func everyKeyIsAccepted() throws {
        let file = try ConfigurationFile(
            """
            files: [lamp.yaml, floor.json]
            port: 51826
            copies: 3
            bind: 127.0.0.1
            state: /var/lib/hap
            setup-code: 101-48-005
            advertise: auto
            simulate: none
            strict: true
            ready-file: /run/hap.json
            """,
            path: "f.yaml"
        )
        #expect(file.files == ["lamp.yaml", "floor.json"])
        #expect(file.simulate == .off)
        #expect(file.port == 51_826)
        #expect(file.copies == 3)
        #expect(file.bind == "127.0.0.1")
        #expect(file.state == "/var/lib/hap")
        #expect(file.setupCode == SetupCode("101-48-005"))
        #expect(file.advertise == .auto)
        #expect(file.strict == true)
        #expect(file.readyFile == "/run/hap.json")
    }

    /// The commented lines of Config/hap.yaml are valid once the `#` is removed.
    @Test func everyListedKeyHasAnAcceptedExample() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Config/hap.yaml")
        let examples = try String(contentsOf: path, encoding: .utf8).split(separator: "\n")
            .compactMap { try? #/# ([a-z-]+): .* # .*/#.wholeMatch(in: $0) }
        #expect(Set(examples.map { String($0.1) }) == Set(ConfigurationFile.keys))
        #expect(examples.count == ConfigurationFile.keys.count)
        // A file with one of these keys is recognized as a configuration.
        let shared: Set = ["home", "scenario", "seed", "accessories"]
        #expect(FileSubject.configurationKeys == Set(ConfigurationFile.keys).subtracting(shared))
        for example in examples {
            #expect(errorText(String(example.0.dropFirst(2))) == nil)
        }
        let folder = try TemporaryFolder()
        let all = try folder.write(examples.map { "\($0.0.dropFirst(2))\n" }.joined(), to: "hap.yaml")
        let settings = try ServeSettings(
            ServeOptions.parse(["--config", all]),
            environment: ["HOME": "/home/someone"]
        )
        #expect(settings.files == [NamedFile("lamp.yaml", namedBy: .file)])
        #expect(settings.copies == 1)
    }

    @Test(arguments: ["", "# nothing\n", "{}"])
    func emptyFileHasNoSettings(text: String) throws {
        let file = try ConfigurationFile(text, path: "f.yaml")
        #expect(file.port == nil)
        #expect(file.advertise == nil)
        #expect(file.strict == nil)
    }

    @Test(arguments: [("on", AdvertiseMode.on), ("off", .off), ("'on'", .on), ("auto", .auto), ("false", .off)])
    func yamlBooleansMeanOnAndOff(text: String, mode: AdvertiseMode) throws {
        #expect(try ConfigurationFile("advertise: \(text)", path: "f.yaml").advertise == mode)
    }

    @Test(arguments: [
        "port: 65536", "port: -1", "port: x", "port: 1.5", "port: [1]", "port:", "copies: 0", "copies: 1001",
        "copies: x", "bind: [a]", "bind:", "state: {a: b}",
        "state: ''", "setup-code: 1014800", "setup-code: 111-11-111", "setup-code: [a]", "advertise: maybe",
        "advertise: [on]", "strict: maybe", "strict: 'on off'", "ready-file: [a]", "ready-file:", "files: a.yaml",
        "files: []",
        "files: [a.yaml, [b]]", "files: ['']", "simulate: true", "simulate: off", "Port: 1",
        "console: 8181", "console: host:x", "trace:", "unknown: off", "? [a]\n: 1", "1: 2",
    ])
    func errorsHaveLineAndColumn(text: String) throws {
        let message = try #require(errorText("# first line\n\(text)\n"))
        #expect(message.hasPrefix("f.yaml:2:"), "\(message)")
    }

    @Test func allErrorsOfAFileAreReported() throws {
        let message = try #require(errorText("port: x\nbogus: 1\nadvertise: maybe\n"))
        #expect(message.split(separator: "\n").count == 3)
    }

    @Test func unknownKeyIsReportedWithTheKnownOnes() throws {
        let message = try #require(errorText("prot: 1"))
        #expect(message.contains("prot: unknown key; write \"port\""))
    }

    @Test func aFileThatIsTooLargeIsNotRead() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(String(repeating: "#", count: 1 << 20 + 1), to: "large.yaml")
        let failure = #expect(throws: CommandFailure.self) { try ConfigurationFile.load(path) }
        #expect(failure?.code == .fileContent)
        #expect(failure?.message.contains("at most 1048576 bytes are read") == true)
        let largest = try folder.write(String(repeating: "#", count: 1 << 20), to: "largest.yaml")
        #expect(throws: Never.self) { try ConfigurationFile.load(largest) }
    }

    @Test func folderIsRefused() throws {
        let folder = try TemporaryFolder()
        let failure = #expect(throws: CommandFailure.self) { try ConfigurationFile.load(folder.path) }
        #expect(failure?.message.contains("this is a folder; name the files in it") == true)
    }

    @Test func nullDeviceIsNoConfiguration() throws {
        let configuration = try ConfigurationFile.load("/dev/null")
        #expect(configuration.port == nil && configuration.trace == nil)
    }

    @Test func pipesAndDevicesAreRefusedWithoutWaiting() throws {
        let folder = try TemporaryFolder()
        #expect(mkfifo(folder("pipe"), 0o600) == 0)
        for path in [folder("pipe"), "/dev/zero"] {
            let unread = #expect(throws: DocumentError.self) { try Trace.read(path) }
            let refusals = [
                #expect(throws: CommandFailure.self) { try ConfigurationFile.load(path) },
                unread.map { CommandFailure($0) },
            ]
            for refusal in refusals {
                #expect(refusal?.code == .fileContent)
                #expect(refusal?.message.contains("this is a pipe or a device; name a file") == true)
            }
        }
    }
}
