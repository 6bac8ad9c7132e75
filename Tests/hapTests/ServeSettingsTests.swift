import ArgumentParser
import HAPCore
import HAPServer
import TestSupport
import Testing

@testable import Hosting
@testable import hap

@Suite struct ServeSettingsTests {
    private let environment = ["HOME": "/home/someone"]

    private func settings(_ arguments: String...) throws -> ServeSettings {
        try ServeSettings(try ServeOptions.parse(arguments), environment: environment)
    }

    @Test func defaultsApplyWithoutOptions() throws {
        let settings = try settings()
        #expect(settings.host.port == 0)
        #expect(settings.copies == 1)
        #expect(settings.host.bindAddress == nil)
        #expect(settings.stateLocation.path == "/home/someone/.local/state/hap")
        #expect(settings.host.setupCode == nil)
        #expect(settings.host.advertise == .auto)
        #expect(!settings.host.isStrict)
        #expect(settings.readyFile == nil)
    }

    @Test func commandLineOverridesTheFile() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            "port: 1\nbind: a\nstate: /s\nsetup-code: 101-48-005\nadvertise: on\nready-file: /r\n",
            to: "hap.yaml"
        )
        let file = try settings("--config", path)
        #expect(file.host.port == 1)
        #expect(file.host.bindAddress == "a")
        #expect(file.stateLocation.path == "/s")
        #expect(file.host.setupCode?.text == "101-48-005")
        #expect(file.host.advertise == .on)
        #expect(file.readyFile == "/r")
        let both = try settings(
            "--config",
            path,
            "--port",
            "0",
            "--bind",
            "b",
            "--state",
            "/t",
            "--setup-code",
            "202-48-005",
            "--advertise",
            "off",
            "--strict",
            "--ready-file",
            "/q"
        )
        #expect(both.host.port == 0)
        #expect(both.host.bindAddress == "b")
        #expect(both.stateLocation.path == "/t")
        #expect(both.host.setupCode?.text == "202-48-005")
        #expect(both.host.advertise == .off)
        #expect(both.host.isStrict)
        #expect(both.readyFile == "/q")
    }

    @Test func filesAndCopiesAreExclusive() throws {
        #expect(try settings("a.yaml", "b.yaml").files.map(\.path) == ["a.yaml", "b.yaml"])
        #expect(try settings("a.yaml", "b.yaml", "--port", "65534").host.port == 65_534)
        for arguments in [["a.yaml", "--copies", "2"], ["a.yaml", "b.yaml", "c.yaml", "--port", "65534"]] {
            let failure = #expect(throws: CommandFailure.self) {
                try ServeSettings(ServeOptions.parse(arguments), environment: environment)
            }
            #expect(failure?.code == .usage)
        }
        let folder = try TemporaryFolder()
        let files = try folder.write("files: [c.yaml]\nsimulate: none\n", to: "files.yaml")
        #expect(try settings("--config", files).files == [NamedFile("c.yaml", namedBy: .file)])
        #expect(try settings("--config", files).host.simulation == .off)
        #expect(try settings("--config", files, "--simulate", "auto").host.simulation == .automatic)
        #expect(try settings("--config", files, "a.yaml").files.map(\.path) == ["a.yaml"])
        #expect(try settings("--config", files, "--copies", "2").files == [])
        let copies = try folder.write("copies: 3\n", to: "copies.yaml")
        #expect(try settings("--config", copies, "a.yaml").copies == 1)
        let both = try folder.write("copies: 3\nfiles: [c.yaml]\n", to: "both.yaml")
        let reason = "The number of copies applies only to the Kilgo garage; give either files or copies."
        #expect(throws: CommandFailure(.fileContent, reason)) {
            try settings("--config", both)
        }
        let single = try folder.write("copies: 1\nfiles: [c.yaml]\n", to: "single.yaml")
        #expect(try settings("--config", single).files.map(\.path) == ["c.yaml"])
        #expect(try settings("a.yaml", "--copies", "1").files.map(\.path) == ["a.yaml"])
    }

    @Test func strictnessOfTheFileCanBeOverridden() throws {
        let folder = try TemporaryFolder()
        for (text, isStrict) in [("strict: true", true), ("strict: false", false)] {
            let path = try folder.write(text, to: "hap.yaml")
            #expect(try settings("--config", path).host.isStrict == isStrict)
            #expect(try settings("--config", path, "--strict").host.isStrict)
            #expect(try !settings("--config", path, "--no-strict").host.isStrict)
        }
    }

    @Test func codeInTheFileIsRefusedWithItsLocationAndNotRepeated() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("port: 1\nsetup-code: 123-45-678x\n", to: "hap.yaml")
        let failure = #expect(throws: CommandFailure.self) { try settings("--config", path) }
        #expect(failure?.code == .fileContent)
        #expect(failure?.message.hasPrefix("\(path):2:13: setup-code: ") == true)
        #expect(failure?.message.contains("678x") == false)
    }

    @Test(arguments: ["101-48-00", "000-00-000", "123-45-678", "101-48006"])
    func invalidCodeIsAUsageError(code: String) throws {
        let error = #expect(throws: (any Error).self) { try settings("--setup-code", code) }
        #expect(error.map { ServeOptions.exitCode(for: $0) } == .validationFailure)
    }

    @Test func validCommandLineCodeDoesNotExcuseAnInvalidCodeInTheFile() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("setup-code: 101-48006\n", to: "hap.yaml")
        let failure = #expect(throws: CommandFailure.self) {
            try settings("--config", path, "--setup-code", "101-48-005")
        }
        #expect(failure?.code == .fileContent)
    }

    @Test func severalServersUseConsecutivePorts() throws {
        func ports(_ words: String...) throws -> [UInt16] {
            let settings = try ServeSettings(ServeOptions.parse(words), environment: ["HOME": "/home/someone"]).host
            let content = HostedContent.garages(1)[0]
            return (0..<3).map { settings.configuration(of: content, offset: $0, clock: nil).port }
        }
        #expect(try ports("--copies", "3", "--port", "5001") == [5_001, 5_002, 5_003])
        #expect(try ports("--copies", "3") == [0, 0, 0])
        #expect(try ports("--copies", "2", "--port", "65534").prefix(2) == [65_534, 65_535])
    }

    @Test(arguments: [
        ["--copies", "0"], ["--copies", "1001"], ["--copies", "3", "--port", "65534"],
        ["--copies", "201", "--advertise", "on"],
    ])
    func unsupportedNumberOfServersIsAUsageError(arguments: [String]) throws {
        let failure = #expect(throws: CommandFailure.self) {
            try ServeSettings(ServeOptions.parse(arguments), environment: environment)
        }
        #expect(failure?.code == .usage)
    }

    @Test func helpOfSetupCodesContainsNone() {
        #expect(!"\(CommandFailure(.usage, ServeSettings.setupCodeHelp))".contains("101"))
    }
}
