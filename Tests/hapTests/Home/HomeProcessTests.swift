import Foundation
import HAPCore
import TestSupport
import Testing

/// The processes that run a home: two of them, and one that is killed.
@Suite(.serialized, .timeLimit(.minutes(5))) struct HomeProcessTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let code = "101-48-005"

    private static let file = """
        home: Kilgo House
        accessories:
          - accessory: Kilgo Garage
            services: { GarageDoorOpener: Garage Door, Lightbulb: Garage Light }
        automations:
          Light up:
            when: { characteristic: Garage Door/TargetDoorState, becomes: Open }
            run: [{ set: Garage Light/On, to: true }]
            end:
              after: 4s
              set: [{ set: Garage Light/On, to: false }]

        """

    @Test func pendingActionSurvivesAKill() async throws {
        let arguments = ["--setup-code", Self.code, "--home", try folder.write(Self.file, to: "home.yaml")]
        let (killed, ready) = try await HapProcess.serving(arguments, in: folder)
        let address = "127.0.0.1:\(try #require(ready.first).port)"
        try await hap("pair", address, "--code", Self.code, "--as", "garage", "--state", folder("controller"))
        try await put("TargetDoorState=Open")
        try await HapProcess.wait { killed.output.contains("Light up: Garage Light/On = on") }
        // The second run is stored after the state that follows from the first one.
        for count in 1...2 {
            try await HapProcess.wait { try await journal().count { $0["kind"]?.string == "ran" } == count }
            guard count == 1 else { continue }
            try await put("TargetDoorState=Closed")
            try await put("TargetDoorState=Open")
        }
        _ = try await killed.terminate(with: SIGKILL)
        let (process, _) = try await HapCommand.serving(arguments, in: folder)
        try await HapProcess.wait { process.output.contains("Light up: Garage Light/On = off.") }
        #expect(try await process.terminate().status == 0)
    }

    @Test func homeIsRunByOneProcess() async throws {
        let home = try await HomeCommandFixture("home: Test House\n")
        let first: HapProcess = try await home.startRun(until: "Running Test House")
        let second = try await home("run")
        #expect(second.status == 1 && second.isOneSentence, "\(second)")
        #expect(second.errors.contains("process \(first.processID)"), "\(second)")
        #expect(try await first.terminate(with: SIGINT).status == 0)
        let third: HapProcess = try await home.startRun(until: "Running Test House")
        #expect(try await third.terminate(with: SIGINT).status == 0)
    }

    private func put(_ assignment: String) async throws {
        try await hap("put", "garage", assignment, "--state", folder("controller"))
    }

    private func journal() async throws -> [JSONObject] {
        let outcome = try await hap("home", "journal", "--json", "--served", "--state", folder("state"))
        let entries = try JSONValue(parsing: Array(outcome.output.utf8)).object?["entries"]?.array
        return try #require(entries, "\(outcome)").compactMap(\.object)
    }

    @discardableResult
    private func hap(_ arguments: String...) async throws -> HapOutcome {
        let outcome = try await HapCommand(arguments).outcome()
        #expect(outcome.status == 0, "\(outcome)")
        return outcome
    }
}
