import Foundation
import TestSupport
import Testing

/// The responses to invalid command lines and to requests for help.
@Suite(.serialized, .timeLimit(.minutes(5))) struct UsageCommandTests {
    @Test(arguments: [
        (["serve", "--port", "70000"], "70000"), (["serve", "--port", "-1"], "--port"),
        (["serve", "--nope"], "--nope"),
        (["serve", "--advertise", "maybe"], "auto"), (["serve", "--simulate", "maybe"], "none"),
        (["frobnicate"], "frobnicate"), (["validate"], "file"), (["convert", "a.yaml"], "out"),
        (["convert", "a.yaml", "-", "--as", "toml"], "hasaccessory"),
        (["serve", "--setup-code"], "--setup-code"), (["reset", "--port", "1"], "--port"),
        (["discover", "--seconds", "0"], "86400"), (["discover", "--seconds", "soon"], "--seconds"),
        (["home", "set", "lights"], "Upstairs"), (["home", "journal", "--count", "0"], "from 1"),
        (["home", "add", "service", "Lamp"], "add-accessory"), (["home", "change", "zone", "Upstairs"], "--file"),
        (["home", "edit", "scene"], "hap home edit automation"), (["home", "scene", "run"], "name"),
        (["home", "frobnicate"], "frobnicate"), (["run"], "file"), (["run", "a.yaml", "--time-scale", "0"], "0.001"),
        (["run", "a.yaml", "--time-scale", "fast"], "--time-scale"), (["run", "a.yaml", "--seed", "-1"], "--seed"),
        (["run", "a.yaml", "--setup-code", "12"], "XXX-XX-XXX"), (["run", "a.yaml", "--port", "70000"], "70000"),
        (["run", "a.yaml", "--advertise", "maybe"], "auto"),
        (["run", "a.yaml", "--real-time", "--time-scale", "2"], "--real-time"),
    ])
    func wrongCommandLineIsReportedInOneSentence(arguments: [String], word: String) async throws {
        let outcome = try await HapCommand(arguments).outcome()
        #expect(outcome.status == 64)
        #expect(outcome.isOneSentence, "\(outcome)")
        #expect(outcome.errors.contains(word))
        #expect(outcome.errors.contains("--help"))
    }

    @Test(arguments: [
        ["simulate", "obstruct", "--help"], ["simulate", "obstruct", "Garage Door", "-h"],
        ["help", "simulate", "obstruct"], ["simulate", "--state", "press", "obstruct", "--help"],
    ])
    func helpOfOneCommandOfTheSimulationIsShown(arguments: [String]) async throws {
        let outcome = try await HapCommand(arguments).outcome()
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
        #expect(outcome.output.hasPrefix("obstruct NAME\n"))
        #expect(outcome.output.hasSuffix("EXAMPLE\n  hap simulate obstruct Garage Door\n"))
    }

    @Test(arguments: [["simulate", "--help"], ["simulate", "--state", "show", "--help"], ["help", "simulate"]])
    func helpWithoutACommandOfTheSimulationListsThem(arguments: [String]) async throws {
        let outcome = try await HapCommand(arguments).outcome()
        #expect(outcome.status == 0 && outcome.output.hasPrefix("OVERVIEW: "), "\(outcome)")
        #expect(outcome.output.contains("\nobstruct NAME "))
    }

    @Test(
        arguments: [
            (["srve"], "There is no command 'srve'; did you mean 'serve'? See 'hap --help'."),
            (["frobnicate"], "There is no command 'frobnicate'. See 'hap --help'."),
            (["home", "ad", "room"], "There is no command 'ad'; did you mean 'add'? See 'hap home --help'."),
            (["home", "set"], "See 'hap home set --help'."), (["serve", "--nope"], "? See 'hap serve --help'."),
            (["home", "add-accessory"], "See 'hap home add-accessory --help'."), (["--nope"], "See 'hap --help'."),
            (["discover", "--seconds", "0"], "86400. See 'hap discover --help'."),
        ] as [([String], String)]
    )
    func errorNamesTheHelpOfTheIntendedCommand(arguments: [String], ending: String) async throws {
        let outcome = try await HapCommand(arguments).outcome()
        #expect(outcome.status == 64)
        #expect(outcome.errors.hasSuffix("\(ending)\n"), "\(outcome)")
    }

    @Test(arguments: [
        "000-00-000", "999-99-999", "123-45-678", "876-54-321", "1014-8006", "12345678", "101-48-06", "101-48-00x",
        "1014-8-006", "",
        "１01-48-006",
    ])
    func invalidCodeIsRefusedAndNotRepeated(code: String) async throws {
        let folder = try TemporaryFolder()
        let outcome = try await HapCommand.serve(in: folder, "--setup-code", code)
        #expect(outcome.status == 64)
        #expect(outcome.isOneSentence, "\(outcome)")
        #expect(outcome.errors.contains("XXX-XX-XXX"))
        // The error may name the well-known forbidden codes as examples, but no other code.
        #expect(
            code.isEmpty || ["123-45-678", "876-54-321", "12345678"].contains(code) || !outcome.errors.contains(code)
        )
        #expect(!FileManager.default.fileExists(atPath: folder("state")))
    }

    @Test(arguments: [
        ["--help"], ["serve", "--help"], ["reset", "--help"], ["doctor", "--help"], ["discover", "--help"],
        ["validate", "--help"],
        ["convert", "--help"],
        ["types", "--help"], ["pair", "--help"], ["unpair", "--help"], ["pairings", "--help"],
        ["accessories", "--help"],
        ["get", "--help"], ["put", "--help"], ["watch", "--help"], ["identify", "--help"], ["home", "--help"],
        ["home", "show", "--help"], ["home", "add", "--help"], ["home", "change", "--help"],
        ["home", "edit", "--help"],
        ["home", "rename", "--help"], ["home", "move", "--help"], ["home", "remove", "--help"],
        ["home", "scene", "--help"], ["home", "scene", "run", "--help"],
        ["home", "scene", "state", "--help"], ["home", "set", "--help"], ["home", "automation", "--help"],
        ["home", "user", "--help"],
        ["home", "journal", "--help"], ["home", "run", "--help"], ["home", "add-accessory", "--help"],
        ["home", "import", "--help"], ["home", "export", "--help"], ["run", "--help"],
    ])
    func helpHasAnExample(arguments: [String]) async throws {
        let outcome = try await HapCommand(arguments).outcome()
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        #expect(outcome.output.contains("EXAMPLE\n  hap "))
    }

    @Test func versionIsOneLine() async throws {
        let outcome = try await HapCommand.run("--version")
        #expect(outcome.status == 0)
        #expect(outcome.output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
    }
}
