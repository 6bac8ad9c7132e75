import Foundation
import HAPCore
import TestSupport
import Testing

/// The commands of the controller, against `hap serve` on loopback.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ControllerCommandTests {
    private static let code = "101-48-005"
    private let folder: TemporaryFolder
    private let controller: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        controller = try TemporaryFolder()
    }

    @Test func garageIsPairedReadWrittenWatchedIdentifiedAndUnpaired() async throws {
        let (process, ready) = try await serving()
        let paired = try await hap("pair", "127.0.0.1:\(ready.port)", "--code", Self.code)
        #expect(paired.status == 0, "\(paired)")
        #expect(paired.output.hasPrefix("Paired with Kilgo Garage (\(ready.deviceID)) as kilgo-garage.\n"))
        // Without a terminal, no progress is shown.
        #expect(paired.errors == "")

        let list = try await hap("pairings")
        #expect(list.output == "kilgo-garage  \(ready.deviceID)  127.0.0.1:\(ready.port)\n")
        let pairings = try await json("pairings", "kilgo-garage")["pairings"]?.array
        #expect(pairings?.map { $0.object?["own"] } == [true])
        #expect(pairings?.map { $0.object?["admin"] } == [true])

        let shown = try await hap("accessories", "kilgo-garage")
        #expect(shown.output.hasPrefix("Kilgo Garage (aid 1): Kilgo Devices, Inc."), "\(shown)")
        #expect(shown.output.contains(#/Current Door State +Closed/#), "\(shown)")

        let read = try await json("get", "kilgo-garage", "currentdoorstate", "GarageDoorOpener/Name")
        #expect(read["characteristics"]?.array?.map { $0.object?["value"] } == [1, "Garage Door"], "\(read)")
        #expect(read["characteristics"]?.array?.map { $0.object?["status"] } == [0, 0])

        let written = try await hap("put", "kilgo-garage", "Lightbulb/On=on", "Brightness=40 %", "FadeRate=0.5")
        #expect(written.status == 0, "\(written)")
        let values = try await json("get", "kilgo-garage", "Lightbulb/On", "Brightness", "Fade Rate")
        #expect(values["characteristics"]?.array?.map { $0.object?["value"] } == [true, 40, 0.5])

        let identified = try await hap("identify", "kilgo-garage")
        #expect(identified.output == "kilgo-garage identifies itself.\n", "\(identified)")
        try await HapCommand.wait { process.output.contains("Identify: Kilgo Garage identifies itself.") }

        let unpaired = try await hap("unpair", "kilgo-garage")
        #expect(unpaired.output == "kilgo-garage is no longer paired with this controller.\n", "\(unpaired)")
        try await HapCommand.wait { process.output.contains("is no longer paired.") }
        #expect(try await hap("pairings").output.hasPrefix("This controller is not paired with any accessory"))
        #expect(try await process.terminate().status == 0)
    }

    @Test func refusedRequestExitsWith2AndItsStatus() async throws {
        let (process, ready) = try await serving()
        let address = "127.0.0.1:\(ready.port)"
        let wrong = try await hap("pair", address, "--code", "101-48-006")
        #expect(wrong.status == 2 && wrong.isOneSentence, "\(wrong)")
        #expect(wrong.errors.contains("The accessory rejects the setup code (1 try so far)"), "\(wrong)")
        let again = try await hap("pair", address, "--code", "101-48-006")
        #expect(again.status == 2 && again.errors.contains("(2 tries so far)"), "\(again)")
        #expect(!wrong.errors.contains("101-48-006"))
        try await pair(address)
        let other = try TemporaryFolder()
        let taken = try await HapCommand.run("pair", address, "--code", Self.code, "--state", other("state"))
        #expect(taken.status == 2 && taken.isOneSentence, "\(taken)")
        #expect(taken.errors.contains("paired"))
        let twice = try await hap("pair", address, "--code", Self.code)
        #expect(twice.status == 2 && twice.errors.contains("'hap unpair ALIAS --force'"), "\(twice)")

        let name = try await hap("get", "kilgo-garage", "Identify")
        #expect(name.status == 2 && name.errors.contains("-70405"), "\(name)")
        #expect(try await hap("put", "kilgo-garage", "LockTargetState=Secured").status == 0)
        // The bolt takes a second.
        try await HapCommand.wait { process.output.contains("Lock Current State: Secured") }
        let locked = try await hap("put", "kilgo-garage", "TargetDoorState=Open", "--json")
        #expect(locked.status == 2 && locked.errors.contains("-70412"), "\(locked)")
        #expect(locked.output.contains("\"status\":-70412"))
        let readOnly = try await hap("put", "kilgo-garage", "CurrentDoorState=Open")
        #expect(readOnly.status == 2 && readOnly.errors.contains("-70404"), "\(readOnly)")
        #expect(try await process.terminate().status == 0)
    }

    @Test func unknownNameIsReportedWithTheKnownOnes() async throws {
        let (process, ready) = try await serving()
        try await pair("127.0.0.1:\(ready.port)")
        let alias = try await hap("get", "garage", "On")
        #expect(alias.status == 64 && alias.errors.contains("kilgo-garage"), "\(alias)")
        let name = try await hap("get", "kilgo-garage", "Brigthness")
        #expect(name.status == 64 && name.errors.contains("Did you mean \"Brightness\"?"), "\(name)")
        let several = try await hap("get", "kilgo-garage", "Name")
        #expect(several.status == 64 && several.errors.contains("Garage Door/Name (1."), "\(several)")
        let value = try await hap("put", "kilgo-garage", "TargetDoorState=ajar")
        #expect(value.status == 64 && value.errors.contains("Open (0) or Closed (1)"), "\(value)")
        #expect(try await process.terminate().status == 0)

        let gone = try await hap("get", "kilgo-garage", "On")
        #expect(gone.status == 69, "\(gone)")
        let stored = try await hap("unpair", "kilgo-garage")
        #expect(stored.status == 69 && stored.errors.contains("--force"), "\(stored)")
        let forgotten = try await hap("unpair", "kilgo-garage", "--force")
        #expect(forgotten.status == 0 && forgotten.output.contains("was removed"), "\(forgotten)")
    }

    @Test func addressThatDropsPacketsTimesOut() async throws {
        let (process, ready) = try await serving()
        try await pair("127.0.0.1:\(ready.port)", alias: "door")
        #expect(try await process.terminate().status == 0)
        let silent = try SilentPort(port: try #require(UInt16(exactly: ready.port)), isFull: true)
        for arguments in [["pair", "127.0.0.1:\(silent.port)", "--code", Self.code], ["get", "door", "On"]] {
            let outcome = try await hap(arguments)
            #expect(outcome.status == 69 && outcome.isOneSentence, "\(outcome)")
            // The known address gets half of the nine seconds, because the accessory may have another one now.
            #expect(outcome.errors.contains(arguments[0] == "pair" ? "within 9 s" : "within 4.5 s"), "\(outcome)")
        }
    }

    @Test func signalCancelsPairingBeforeItsLastMessage() async throws {
        let silent = try SilentPort(isFull: false)
        let process = try HapCommand(
            ["pair", "127.0.0.1:\(silent.port)", "--code", Self.code, "--state", controller("state")]
        )
        try await HapCommand.wait { silent.hasConnection }
        let outcome = try await process.terminate()
        #expect(outcome.status == 1 && outcome.isOneSentence, "\(outcome)")
        #expect(outcome.errors.contains("not changed"), "\(outcome)")
    }

    @Test func watchReportsChangesAndEndsAfterItsCount() async throws {
        let (process, ready) = try await serving()
        try await pair("127.0.0.1:\(ready.port)", alias: "door")
        let watch = try HapCommand(
            ["watch", "door", "TargetDoorState", "--count", "2", "--json", "--state", controller("state")]
        )
        try await HapCommand.wait { watch.output.contains("\"event\":\"connected\"") }
        #expect(try await hap("put", "door", "TargetDoorState=Open").status == 0)
        try await HapCommand.wait { watch.output.contains("\"valueName\":\"Open\"") }
        #expect(try await hap("put", "door", "TargetDoorState=Closed").status == 0)
        let outcome = try await watch.outcome()
        #expect(outcome.status == 0, "\(outcome)")
        let lines = try outcome.output.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)).object }
        #expect(lines.map { $0?["value"] } == [nil, 0, 1], "\(outcome)")
        #expect(lines.allSatisfy { $0?["time"] != nil })
        #expect(try await process.terminate().status == 0)
    }

    @Test func waitEndsWhenAllValuesAreThereAtTheSameTime() async throws {
        let (process, ready) = try await serving()
        try await pair("127.0.0.1:\(ready.port)", alias: "door")
        let arguments = ["wait", "door", "TargetDoorState=Open", "Brightness=12", "--state", controller("state")]
        let wait = try HapCommand(arguments)
        #expect(try await hap("put", "door", "TargetDoorState=Open").status == 0)
        #expect(try await hap("put", "door", "Brightness=13").status == 0)
        #expect(wait.isRunning)
        #expect(try await hap("put", "door", "Brightness=12").status == 0)
        let outcome = try await wait.outcome()
        #expect(outcome.status == 0 && outcome.errors == "", "\(outcome)")
        #expect(outcome.output.contains("Target Door State") && outcome.output.contains("12 %"), "\(outcome)")
        let late = try await hap("wait", "door", "Brightness=13", "--within", "2s")
        #expect(late.status == 1 && late.isOneSentence, "\(late)")
        #expect(late.errors.contains("Brightness is 12 %, not 13 % after 2s."), "\(late)")
        // A serial number reports no changes, so it is read.
        let read = try await hap("wait", "door", "SerialNumber=KG100-0001", "--within", "5s")
        #expect(read.status == 0, "\(read)")
        let written = try await hap("wait", "door", "Identify=on")
        #expect(written.status == 64 && written.isOneSentence, "\(written)")
        #expect(try await process.terminate().status == 0)
    }

    @Test func anAbsentAccessoryIsTriedUntilTheTimeIsOver() async throws {
        let (process, ready) = try await serving()
        try await pair("127.0.0.1:\(ready.port)", alias: "door")
        #expect(try await process.terminate().status == 0)
        let away = try await hap("wait", "door", "Brightness=12", "--within", "1500ms")
        #expect(away.status == 69 && away.isOneSentence, "\(away)")
    }

    @Test func qrCodeTextPairsAndATakenAliasIsNumbered() async throws {
        let (process, ready) = try await HapCommand.serving(copies: 2, in: folder)
        let first = try #require(ready.first)
        let second = try #require(ready.last)
        // The second server takes the alias that the first one would get from its name.
        let named = try await hap(
            "pair",
            "127.0.0.1:\(second.port)",
            "--code",
            second.setupURI,
            "--as",
            "kilgo-garage"
        )
        #expect(named.status == 0, "\(named)")
        let numbered = try await hap("pair", "127.0.0.1:\(first.port)", "--code", first.setupURI)
        #expect(numbered.status == 0 && numbered.output.contains(" as kilgo-garage-2.\n"), "\(numbered)")
        let taken = try await hap("pair", "127.0.0.1:1", "--code", first.setupURI, "--as", "kilgo-garage")
        #expect(taken.status == 64 && taken.errors.contains("kilgo-garage"), "\(taken)")
        #expect(try await json("pairings")["accessories"]?.array?.count == 2)
        #expect(try await process.terminate().status == 0)
    }

    @Test func shellCompletesAliasesCharacteristicsAndValues() async throws {
        let (process, ready) = try await serving()
        try await pair("127.0.0.1:\(ready.port)")
        #expect(try await process.terminate().status == 0)
        // The completion scripts pass the argument, the typed word, the cursor position and all words.
        func offered(_ argument: String, _ words: String...) async throws -> [Substring] {
            let outcome = try await HapCommand(
                ["---completion", words[1], "--", argument, "\(words.count - 1)", "\(words.last?.count ?? 0)"] + words,
                environment: ["XDG_STATE_HOME": controller.path]
            )
            .outcome()
            #expect(outcome.status == 0, "\(outcome)")
            return outcome.output.split(separator: "\n")
        }
        try FileManager.default.moveItem(atPath: controller("state"), toPath: controller("hap"))
        #expect(try await offered("positional@0", "hap", "get", "") == ["kilgo-garage"])
        let names = try await offered("positional@1", "hap", "get", "kilgo-garage", "")
        #expect(names.contains("CurrentDoorState") && names.contains("GarageDoor/Name"), "\(names)")
        let assignments = try await offered("positional@1", "hap", "put", "kilgo-garage", "")
        #expect(assignments.contains("TargetDoorState=") && !assignments.contains("CurrentDoorState="))
        let values = try await offered("positional@1", "hap", "put", "kilgo-garage", "TargetDoorState=")
        #expect(values.contains("TargetDoorState=Closed"), "\(values)")
    }

    @Test(arguments: ["bash", "zsh", "fish"]) func aCompletionScriptIsPrinted(shell: String) async throws {
        let outcome = try await HapCommand.run("--generate-completion-script", shell)
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("watch"))
        for option in ["report", "real-time", "time-scale", "quiet"] {
            #expect(outcome.output.contains(option), "of hap run")
        }
    }

    @Test(arguments: [
        (["pair", "--code", "nonsense"], "setup code"), (["pair"], "The setup code is missing"),
        (["pair", "127.0.0.1:1"], "The setup code is missing"),
        (["pair", "a", "b", "--code", "10148005"], "put a name with spaces in quotes"),
        (["pair", "127.0.0.1:1", "101-48-00"], "eight digits"),
        (["pair", "127.0.0.1:1", "--code", "X-HM://000"], "X-HM://"),
        (["pair", "127.0.0.1:1", "--code", "101-48-005", "--as", "a b"], "alias"),
        (["get", "garage"], "aid.iid"), (["put", "garage", "On"], "NAME=VALUE"),
        (["watch", "garage", "--count", "0"], "from 1"), (["wait", "garage", "On"], "NAME=VALUE"),
        (["wait", "garage", "On=on", "--within", "soon"], "15s"),
        (["wait", "garage", "On=on", "--within", "0s"], "15s"), (["identify", "garage", "--aid", "0"], "from 1"),
    ])
    func wrongCommandLineIsReportedInOneSentence(arguments: [String], word: String) async throws {
        let outcome = try await hap(arguments)
        #expect(outcome.status == 64, "\(outcome)")
        #expect(outcome.isOneSentence, "\(outcome)")
        #expect(outcome.errors.contains(word), "\(outcome)")
    }

    private func serving() async throws -> (process: HapCommand, ready: ReadyServer) {
        try await HapCommand.serving(in: folder, "--setup-code", Self.code)
    }

    private func pair(_ address: String, alias: String? = nil) async throws {
        let outcome = try await hap(["pair", address, "--code", Self.code] + (alias.map { ["--as", $0] } ?? []))
        try #require(outcome.status == 0, "\(outcome)")
    }

    private func hap(_ arguments: String...) async throws -> HapCommand.Outcome {
        try await hap(arguments)
    }

    private func hap(_ arguments: [String]) async throws -> HapCommand.Outcome {
        try await HapCommand(arguments + ["--state", controller("state")]).outcome()
    }

    private func json(_ arguments: String...) async throws -> JSONObject {
        let outcome = try await hap(arguments + ["--json"])
        try #require(outcome.status == 0, "\(outcome)")
        return try #require(try JSONValue(parsing: Array(outcome.output.utf8)).object)
    }
}
