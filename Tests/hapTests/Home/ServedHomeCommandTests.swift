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

    @Test func homeOfTheSameNameInAControllerIsWarnedAbout() async throws {
        let text = Self.file(delay: "10min").replacingOccurrences(of: "Kilgo House", with: "Twin House")
        let file = try folder.write(text, to: "home.yaml")
        var (process, _) = try await serving(file)
        let imported = try await hap(["home", "import", file])
        #expect(imported.status == 0 && imported.errors.contains("Two homes are named Twin House."), "\(imported)")
        #expect(imported.errors.contains("runs with the state folder \(folder("state"))"))
        let run = try HapCommand(["home", "run", "--state", controller("state")])
        try await HapCommand.wait { run.output.contains("Two homes named Twin House run now: this one, and") }
        #expect(try await process.terminate().status == 0)
        // The other one to start warns, too.
        process = try await serving(file).process
        try await HapCommand.wait { process.output.contains("Two homes named Twin House run now: this one, and") }
        #expect(try await run.terminate().status == 0)
        #expect(try await process.terminate().status == 0)
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
