import Foundation
import HAPCore
import TestSupport
import Testing

/// `hap serve --home`: a home file that is edited, and what outlives a restart.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ServedHomeCommandTests {
    private static let code = "101-48-005"
    private let folder: TemporaryFolder
    private let controller: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        controller = try TemporaryFolder()
    }

    /// Returns a home file for the served garage, whose light turns on with the door and off after a delay.
    private static func file(delay: String, brightness: Int = 100) -> String {
        """
        home: Kilgo House
        accessories:
          - accessory: Kilgo Garage
            services: { GarageDoorOpener: Garage Door, Lightbulb: Garage Light }
        users: { Ada: owner }
        automations:
          Light up:
            when: { characteristic: Garage Door/TargetDoorState, becomes: Open }
            run:
              - { set: Garage Light/On, to: true }
              - { set: Garage Light/Brightness, to: \(brightness) }
            end:
              after: \(delay)
              set: [{ set: Garage Light/On, to: false }]
          Away:
            when: { presence: lastLeaves }
            run: [{ set: Garage Light/Brightness, to: 7 }]

        """
    }

    @Test func pendingActionSurvivesARestartAndIsInTheJournal() async throws {
        let file = try folder.write(Self.file(delay: "4s"), to: "home.yaml")
        var (process, ready) = try await serving(file)
        try await pair(ready)
        try await HapCommand.wait { process.output.contains("Home: Kilgo House, 2 automations.") }
        try await put("TargetDoorState=Open")
        try await HapCommand.wait { process.output.contains("Kilgo House: Light up: Garage Light/On = on") }
        #expect(try await process.terminate().status == 0)
        (process, ready) = try await serving(file)
        try await HapCommand.wait { process.output.contains("Kilgo House: Light up: Garage Light/On = off.") }
        #expect(try await value("On") == false)
        #expect(try await process.terminate().status == 0)

        let journal = try await journal()
        #expect(journal.compactMap { $0["kind"]?.string }.filter { $0 == "ran" || $0 == "ended" } == ["ran", "ended"])
        #expect(journal.allSatisfy { $0["automation"]?.string == "Light up" })
    }

    @Test func editedFileIsReloadedUnlessInvalid() async throws {
        let file = try folder.write(Self.file(delay: "10min"), to: "home.yaml")
        let (process, ready) = try await serving(file)
        try await pair(ready)
        _ = try folder.write(Self.file(delay: "10min", brightness: 42), to: "home.yaml")
        try await HapCommand.wait { process.output.contains("home.yaml reloaded: ") }
        try await put("TargetDoorState=Open")
        try await HapCommand.wait { process.output.contains("Garage Light/Brightness = 42") }
        #expect(try await value("Brightness") == 42)

        _ = try folder.write(Self.file(delay: "10min", brightness: 999), to: "home.yaml")
        try await HapCommand.wait { process.output.contains("is not reloaded; the home stays as it was.") }
        #expect(process.output.contains("999"))
        _ = try folder.write("home: Other House\n", to: "home.yaml")
        try await HapCommand.wait { process.output.contains("Kilgo House is no longer in the file") }
        try await put("TargetDoorState=Closed", "Brightness=5")
        try await put("TargetDoorState=Open")
        try await HapCommand.wait { try await value("Brightness") == 42 }
        #expect(try await process.terminate().status == 0)
    }

    @Test func immediateArrivalAndDepartureByOtherCommandsAreReported() async throws {
        let file = try folder.write(Self.file(delay: "10min"), to: "home.yaml")
        let (process, ready) = try await serving(file)
        try await pair(ready)
        #expect(try await home("user", "arrive", "Ada").status == 0)
        #expect(try await home("user", "leave", "Ada").status == 0)
        try await HapCommand.wait { try await value("Brightness") == 7 }
        try await HapCommand.wait { try await journal().contains { $0["automation"]?.string == "Away" } }
        #expect(try await home("show").output.hasPrefix("Kilgo House"))
        #expect(try await process.terminate().status == 0)
    }

    @Test func watchContinuesWhenTheServerRunsAgain() async throws {
        let file = try folder.write(Self.file(delay: "10min"), to: "home.yaml")
        var (process, ready) = try await serving(file)
        try await pair(ready)
        let watch = try HapCommand(["home", "watch", "Garage Light", "--served", "--state", folder("state")])
        try await changeBrightness(until: "Garage Light/Brightness: 31", in: watch)
        #expect(try await process.terminate().status == 0)
        try await HapCommand.wait { watch.output.contains("'hap serve' has ended") || !watch.isRunning }
        (process, ready) = try await serving(file)
        try await HapCommand.wait { watch.output.contains("can be reached.") || !watch.isRunning }
        try await changeBrightness(until: "Garage Light/Brightness: 33", in: watch)
        #expect(watch.isRunning, "\(watch.output)")
        _ = try await watch.terminate()
        #expect(try await process.terminate().status == 0)
    }

    @Test func automationsThatRunTwiceOnTheSameAccessoriesAreWarnedAbout() async throws {
        let text = Self.file(delay: "10min").replacingOccurrences(of: "Kilgo House", with: "Twin House")
        let file = try folder.write(text, to: "home.yaml")
        var (process, ready) = try await serving(file)
        try await pair(ready)
        let imported = try await hap(["home", "import", file])
        #expect(imported.status == 0 && imported.errors.contains("Two homes are named Twin House."), "\(imported)")
        #expect(imported.errors.contains("runs with the state folder \(folder("state"))"))
        #expect(try await hap("home", "add-accessory", "--alias", "garage").status == 0)
        for name in ["Light up", "Away"] {
            #expect(try await hap("home", "automation", "disable", name, "--stored").status == 0)
        }
        let run = try HapCommand(["home", "run", "--state", controller("state")])
        try await HapCommand.wait { run.output.contains("Running Twin House: 0 automations.") || !run.isRunning }
        // A home that begins to run the same automations later warns then.
        #expect(try await hap("home", "automation", "enable", "Away", "--stored").status == 0)
        let first = "Away runs twice on the same accessories: here, and in Twin House"
        try await HapCommand.wait { run.output.contains(first) || !run.isRunning }
        #expect(run.output.contains(first), "\(run.output)")
        #expect(try await hap("home", "automation", "enable", "Light up", "--stored").status == 0)
        let second = "Light up runs twice on the same accessories: here, and in Twin House"
        try await HapCommand.wait { run.output.contains(second) || !run.isRunning }
        #expect(run.output.contains(second) && !run.output.contains("which 'hap home run' runs"), "\(run.output)")
        #expect(try await process.terminate().status == 0)
        // The other one to start warns, too.
        process = try await serving(file).process
        let both = "Light up and Away run twice on the same accessories: here, and in Twin House"
        try await HapCommand.wait { process.output.contains(both) || !process.isRunning }
        #expect(process.output.contains(both), "\(process.output)")
        #expect(try await run.terminate().status == 0)
        #expect(try await process.terminate().status == 0)
    }

    @Test func withoutAFlagCommandsUseTheServedHomeOnlyIfItIsMeant() async throws {
        let file = try folder.write(Self.file(delay: "10min"), to: "home.yaml")
        let (process, _) = try await serving(file)
        // The controller has no home: the served one is used, and a line says so.
        let state = ["--state", folder("state")]
        let only = try await HapCommand(["home", "status"] + state).outcome()
        #expect(only.status == 0 && only.output.contains("Garage"), "\(only)")
        #expect(
            only.errors
                == "hap: Kilgo House is the home that 'hap serve' runs with the state folder \(folder("state")).\n"
        )
        #expect(try await HapCommand(["home", "say", "turn on the garage light"] + state).outcome().status == 0)
        #expect(try await HapCommand(["home", "status", "Garage Light"] + state).outcome().output.contains("on"))

        // Both exist: one of them must be named.
        #expect(try await HapCommand(["home", "add", "home", "Own House"] + state).outcome().status == 0)
        let both = try await HapCommand(["home", "show"] + state).outcome()
        #expect(both.status == 64 && both.output.isEmpty, "\(both)")
        #expect(
            both.errors.contains("--stored --home \"Own House\"")
                && both.errors.contains("--served --state \(folder("state"))")
        )
        let own = try await HapCommand(["home", "show", "--stored"] + state).outcome()
        #expect(own.status == 0 && own.output.hasPrefix("Own House") && own.errors.isEmpty, "\(own)")
        #expect(try await HapCommand(["home", "show", "--home", "Own House"] + state).outcome().output == own.output)
        let named = try await HapCommand(["home", "show", "--home", "kilgo house"] + state).outcome()
        #expect(named.status == 0 && named.output.hasPrefix("Kilgo House") && !named.errors.isEmpty, "\(named)")
        #expect(try await home("show").output == named.output)
        #expect(try await process.terminate().status == 0)
    }

    @Test func enabledStaysAsCommandsSetItUntilTheFileChangesIt() async throws {
        let text = Self.file(delay: "10min")
        let file = try folder.write(text, to: "home.yaml")
        var process = try await serving(file).process
        func isDisabled() async throws -> Bool {
            try await home("show", "automation", "Light up").output.contains("disabled")
        }
        #expect(try await home("automation", "disable", "Light up").status == 0)
        #expect(try await isDisabled())
        // An edit of something else keeps it, and so does a restart.
        _ = try folder.write(Self.file(delay: "10min", brightness: 42), to: "home.yaml")
        try await HapCommand.wait { process.output.contains("home.yaml reloaded: ") }
        #expect(try await isDisabled())
        #expect(try await process.terminate().status == 0)
        process = try await serving(file).process
        #expect(try await isDisabled())
        // A file that says something else is not passed over in silence.
        try await HapCommand.wait { process.output.contains("it is disabled, as it was last set") }
        #expect(
            process.output.contains("home.yaml:7:3: warning: automations.Light up: it is disabled, as it was last set"),
            "\(process.output)"
        )
        // An edit of the value itself counts.
        _ = try folder.write(
            text.replacing("  Light up:\n", with: "  Light up:\n    enabled: false\n"),
            to: "home.yaml"
        )
        try await HapCommand.wait { process.output.contains("home.yaml ") }
        _ = try folder.write(text, to: "home.yaml")
        try await HapCommand.wait { try await !isDisabled() }
        #expect(try await process.terminate().status == 0)
    }

    @Test func withoutAProcessNothingIsCreated() async throws {
        for arguments in [
            ["user", "arrive", "Ada"], ["automation", "disable", "Light up"], ["add", "room", "Attic"],
        ] {
            let outcome = try await hap(["home"] + arguments)
            #expect(outcome.status == 64 && outcome.errors.contains("There is no home yet"), "\(outcome)")
            let served = try await hap(["home"] + arguments + ["--served"])
            #expect(served.status == 64 && served.errors.contains("No home was served yet"), "\(served)")
        }
        #expect(!FileManager.default.fileExists(atPath: controller("state")))
    }

    @Test func servedHomeIsChangedInItsFile() async throws {
        let file = try folder.write(Self.file(delay: "10min"), to: "home.yaml")
        let process = try await serving(file).process
        // The comment stays, and the running home has the room when the command ends.
        let commented = "# Our house.\n" + Self.file(delay: "10min")
        _ = try folder.write(commented, to: "home.yaml")
        let outcome = try await home("add", "room", "Attic")
        #expect(outcome.status == 0, "\(outcome)")
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.hasPrefix("# Our house.\nhome: Kilgo House\n") && text.contains("Attic"), "\(text)")
        #expect(try await home("list", "rooms").output == "Attic\n")
        #expect(try await home("remove", "user", "Ada").status == 0)
        #expect(try await home("list", "users").output == "There are no users.\n")
        #expect(try await home("rename", "scene", "Missing", "Other").status == 64)
        // What the store has about an automation stays with it.
        let disabled = try await home("automation", "disable", "Light up")
        #expect(disabled.status == 0 && disabled.errors.isEmpty, "\(disabled)")
        #expect(try await home("rename", "automation", "Light up", "Night").status == 0)
        #expect(try await home("show", "automation", "Night").output.contains("disabled"))
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("  Night:\n"))
        // Nothing is written that the home would refuse.
        let before = try String(contentsOfFile: file, encoding: .utf8)
        #expect(try await home("remove", "accessory", "Nothing").status == 64)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == before)
        try await HapCommand.wait { process.output.contains("home.yaml reloaded: ") }
        let run = try await home("run")
        #expect(run.status == 64 && run.errors.contains("leave out --served"), "\(run)")
        #expect(try await process.terminate().status == 0)
        let ended = try await home("add", "room", "Cellar")
        #expect(ended.status == 69 && ended.errors.contains("no 'hap serve' runs it"), "\(ended)")
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("Cellar") == false)
    }

    @Test func journalRequiresAServedHome() async throws {
        let outcome = try await home("journal")
        #expect(outcome.status == 64 && outcome.isOneSentence, "\(outcome)")
        #expect(outcome.errors.contains("hap serve --home"))
    }

    // MARK: Parts

    private func serving(_ file: String) async throws -> (process: HapCommand, ready: ReadyServer) {
        try await HapCommand.serving(in: folder, "--setup-code", Self.code, "--home", file)
    }

    private func pair(_ ready: ReadyServer) async throws {
        let paired = try await hap("pair", "127.0.0.1:\(ready.port)", "--code", Self.code, "--as", "garage")
        #expect(paired.status == 0, "\(paired)")
    }

    private func put(_ assignments: String...) async throws {
        let outcome = try await hap(["put", "garage"] + assignments)
        #expect(outcome.status == 0, "\(outcome)")
    }

    /// Changes the brightness until another process has printed it, because it prints nothing when it is ready.
    private func changeBrightness(until text: String, in watch: HapCommand) async throws {
        let brightness = try #require(text.split(separator: " ").last)
        try await HapCommand.wait {
            try await put("Brightness=50")
            try await put("Brightness=\(brightness)")
            return watch.output.contains(text) || !watch.isRunning
        }
    }

    private func value(_ name: String) async throws -> JSONValue? {
        let outcome = try await hap("get", "garage", name, "--json")
        return try JSONValue(parsing: Array(outcome.output.utf8)).object?["characteristics"]?.array?.first?
            .object?["value"]
    }

    private func journal() async throws -> [JSONObject] {
        let outcome = try await home("journal", "--json")
        let entries = try JSONValue(parsing: Array(outcome.output.utf8)).object?["entries"]?.array
        return try #require(entries, "\(outcome)").compactMap(\.object)
    }

    private func home(_ arguments: String...) async throws -> HapCommand.Outcome {
        try await HapCommand(["home"] + arguments + ["--served", "--state", folder("state")]).outcome()
    }

    private func hap(_ arguments: String...) async throws -> HapCommand.Outcome {
        try await hap(arguments)
    }

    private func hap(_ arguments: [String]) async throws -> HapCommand.Outcome {
        try await HapCommand(arguments + ["--state", controller("state")]).outcome()
    }
}
