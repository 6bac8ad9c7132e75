import Foundation
import TestSupport
import Testing

/// `hap run`: its state, its report, and how it ends.
@Suite(.timeLimit(.minutes(5))) struct RunCommandTests {
    private let folder: TemporaryFolder
    private let temporary: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        temporary = try TemporaryFolder()
    }

    private func run(_ arguments: String...) async throws -> HapCommand.Outcome {
        try await HapCommand(["run"] + arguments, environment: ["TMPDIR": temporary.path]).outcome()
    }

    private static let home = """
        home: Kilgo House
        accessories:
          - accessory: Kilgo Garage
            services: { GarageDoorOpener: Garage Door, Lightbulb: Garage Light }
        users: { Ada: owner }
        automations:
          Light up:
            when: { characteristic: Garage Door/TargetDoorState, becomes: Open }
            run: [{ set: Garage Light/On, to: true }]
            end:
              after: 1h
              set: [{ set: Garage Light/On, to: false }]
          Away:
            when: { presence: lastLeaves }
            run: [{ set: Garage Light/Brightness, to: 7 }]

        """

    private func scenario(_ steps: String, head: String = "") throws -> String {
        try folder.write("scenario: Test\n\(head)steps:\n\(steps)\n", to: "scenario.yaml")
    }

    @Test func nothingOfARunRemainsInTheNext() async throws {
        _ = try folder.write(Self.home, to: "home.yaml")
        let file = try scenario(
            """
              - { set: Garage Light/On, to: true }
              - { arrive: Ada }
              - { set: Target Door State, to: Open }
              - { advance: 2min }
              - { expect: { characteristic: Garage Light/On, becomes: true, within: 0s } }
              - { expect: { characteristic: Garage Light/Brightness, above: 7, within: 0s } }
              - { leave: Ada }
              - { expect: { characteristic: Garage Light/Brightness, becomes: 7, within: 1s } }
            """,
            head: "home: home.yaml\nstart: 2026-03-02 06:00\n"
        )
        let first = try await run(file)
        #expect(first.status == 0, "\(first)")
        #expect(try await run(file).output == first.output)
        // If the home was stored, the pending end of the automation would take place in the next run.
        let later = try scenario(
            "  - { set: Garage Light/On, to: true }\n  - { advance: 2h }\n"
                + "  - { expect: { characteristic: Garage Light/On, becomes: true, within: 0s } }",
            head: "home: home.yaml\nstart: 2026-03-02 06:30\n"
        )
        let second = try await run(later)
        #expect(second.status == 0, "\(second)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path) == [])
    }

    @Test func invalidHomeIsRefusedBeforeTheStart() async throws {
        _ = try folder.write("home: Kilgo House\nrooms: 3\n", to: "home.yaml")
        let wrong = try await run(try scenario("  - { log: Hello }", head: "home: home.yaml\n"))
        #expect(wrong.status == 65 && wrong.output.isEmpty, "\(wrong)")
        #expect(wrong.errors.contains("home.yaml:2:"))
        _ = try folder.write(Self.home, to: "home.yaml")
        let stranger = try await run(try scenario("  - { arrive: Bob }", head: "home: home.yaml\n"))
        #expect(stranger.status == 65 && stranger.errors.contains("there are: Ada"), "\(stranger)")
        let nowhere = try await run(try scenario("  - { arrive: Ada }"))
        #expect(nowhere.status == 65 && nowhere.errors.contains("home"), "\(nowhere)")
    }

    // MARK: The report

    @Test func unwritableReportIsRefusedBeforeTheStart() async throws {
        let file = try scenario("  - { log: Hello }")
        _ = try folder.write("", to: "notAFolder")
        for report in [file, folder.path, folder("nowhere/report.xml"), folder("notAFolder/report.xml"), ""] {
            let outcome = try await run(file, "--report", report)
            #expect(outcome.status == 64 && outcome.isOneSentence, "\(report): \(outcome)")
        }
        #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("scenario: Test"))
    }

    @Test func resultOfEachStepIsReported() async throws {
        let file = try scenario(
            "  - { clear: latency }\n  - { expect: { characteristic: Current Door State, becomes: Open, within: 1s } }"
        )
        let outcome = try await run(file, "--report", folder("report.xml"))
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("clear latency: No such fault was active."))
        let report = try String(contentsOfFile: folder("report.xml"), encoding: .utf8)
        #expect(report.contains("failures=\"1\" errors=\"0\""))
        #expect(report.contains("<system-out>No such fault was active.</system-out>"))
    }

    // MARK: The end

    /// The wait for a door ends 0.4 ms or 3 µs after the door is open, and timers may be later than that.
    @Test(arguments: ["7200", "1000000"])
    func expectationsOfASimulatedDeviceHoldAtAnySpeed(scale: String) async throws {
        let steps = ["Open", "Closed"]
            .map { state in
                "      - { set: Target Door State, to: \(state) }\n"
                    + "      - { expect: { characteristic: Current Door State, becomes: \(state), within: 15s } }\n"
            }
        let file = try scenario("  - repeat: 500\n    steps:\n" + steps.joined())
        let outcome = try await run(file, "--quiet", "--time-scale", scale)
        #expect(outcome.status == 0, "\(outcome.output.suffix(400))")
    }

    @Test(arguments: [["--real-time", "--time-scale", "2"], ["--time-scale", "0"]])
    func invalidTimeOptionsAreRefused(arguments: [String]) async throws {
        let outcome = try await HapCommand(["run", try scenario("  - { log: Hello }")] + arguments).outcome()
        #expect(outcome.status == 64 && outcome.isOneSentence, "\(outcome)")
    }
}
