import Foundation
import HAPCore
import TestSupport
import Testing

/// `hap home run`: what other commands change, and what outlives a restart.
@Suite(.serialized, .timeLimit(.minutes(5))) struct HomeRunCommandTests {
    private static let code = "101-48-005"
    private let folder: TemporaryFolder
    private let controller: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        controller = try TemporaryFolder()
    }

    @Test func editReachesTheRunAndAPendingEndSurvivesItsRestart() async throws {
        let (server, ready) = try await HapCommand.serving(in: folder, "--setup-code", Self.code)
        try await home("add", "home", "House")
        try await home(
            "add-accessory",
            Self.code,
            "127.0.0.1:\(ready.port)",
            "--service",
            "Lightbulb=Garage Light"
        )
        var run = try HapCommand(["home", "run", "--state", controller("state")])
        try await HapCommand.wait { run.output.contains("can be reached.") }
        // The run starts without automations; another process adds this one.
        try await home(
            "add",
            "automation",
            "Light up",
            """
            { when: { characteristic: Garage Door/TargetDoorState, becomes: Open },
              run: [{ set: Garage Light/On, to: on }], end: { after: 5s, set: [{ set: Garage Light/On, to: off }] } }
            """
        )
        // It does not report that it has read the edit.
        try await HapCommand.wait {
            try await hap("put", "kilgo-garage", "TargetDoorState=Closed")
            try await hap("put", "kilgo-garage", "TargetDoorState=Open")
            return run.output.contains("Light up: Garage Light/On = on.")
        }
        let ended = try await run.terminate()
        #expect(ended.status == 0 && !ended.output.contains("= off."), "\(ended)")

        run = try HapCommand(["home", "run", "--state", controller("state")])
        try await HapCommand.wait { run.output.contains("Light up: Garage Light/On = off.") }
        #expect(try await run.terminate().status == 0)
        let journal = try await home("journal", "--automation", "Light up").output
        #expect(journal.contains("Light up ran:") && journal.contains("Light up ended"), "\(journal)")
        #expect(try await server.terminate().status == 0)
    }

    @Test func immediateArrivalAndDepartureAreReportedInOrder() async throws {
        try await home("add", "home", "House")
        try await home("add", "user", "Ada")
        let file = try folder.write(
            """
            home: House
            accessories: [{ accessory: Lamp, services: { Lightbulb: Lamp } }]
            automations:
              Welcome: { when: { arrives: Ada }, run: [{ set: Lamp/On, to: true }] }
              Goodbye: { when: { leaves: Ada }, run: [{ set: Lamp/On, to: false }] }

            """,
            to: "house.yaml"
        )
        try await home("import", file)
        let run = try HapCommand(["home", "run", "--state", controller("state")])
        try await HapCommand.wait { run.output.contains("Running House: 2 automations.") }
        for _ in 0..<3 {
            try await home("user", "arrive", "Ada")
            try await home("user", "leave", "Ada")
        }
        try await HapCommand.wait { run.output.count(of: "Goodbye ran: Ada left.") == 3 }
        #expect(try await run.terminate().status == 0)
        let ran = try await home("journal").output.split(separator: "\n")
            .compactMap { $0.firstMatch(of: #/(Welcome|Goodbye) ran/#).map { String($0.1) } }
        #expect(ran == ["Welcome", "Goodbye", "Welcome", "Goodbye", "Welcome", "Goodbye"])
    }

    @Test func removedHomeEndsItsRun() async throws {
        try await home("add", "home", "House")
        let run = try HapCommand(["home", "run", "--state", controller("state")])
        try await HapCommand.wait { run.output.contains("Running House") }
        try await home("remove", "home", "House")
        let ended = try await run.outcome()
        #expect(ended.status == 0 && ended.output.contains("The home was removed."), "\(ended)")
    }

    @discardableResult
    private func home(_ arguments: String...) async throws -> HapCommand.Outcome {
        try await hap(["home"] + arguments)
    }

    private func hap(_ arguments: String...) async throws {
        _ = try await hap(arguments)
    }

    private func hap(_ arguments: [String]) async throws -> HapCommand.Outcome {
        let outcome = try await HapCommand(arguments + ["--state", controller("state")]).outcome()
        #expect(outcome.status == 0, "\(arguments): \(outcome)")
        return outcome
    }
}

extension String {
    fileprivate func count(of text: String) -> Int {
        ranges(of: text).count
    }
}
