import Foundation
import TestSupport
import Testing

/// `hap home add-accessory` and `hap home run`, against `hap serve` on loopback.
@Suite(.serialized, .timeLimit(.minutes(5))) struct AddAccessoryTests {
    private func startServer() async throws -> (process: HapCommand, address: String, folder: TemporaryFolder) {
        let folder = try TemporaryFolder()
        let (process, ready) = try await HapCommand.serving(in: folder, "--setup-code", HomeCommandFixture.code)
        return (process, "127.0.0.1:\(ready.port)", folder)
    }

    private static let file = """
        home: Test House
        rooms: [Garage]
        accessories:
          - accessory: Kilgo Garage
        scenes:
          Good Night: []

        """

    @Test func errorsAreReportedBeforePairing() async throws {
        let (process, address, _) = try await startServer()
        let home = try await HomeCommandFixture("home: Test House\nrooms: [Garage]\ngroups: {}\n")
        for arguments in [
            ["--room", "Attic"], ["--service", "Lightbulb=💡"], ["--name", ""],
            ["--service", "Lightbulb=One Name", "--service", "GarageDoorOpener=One Name"],
        ] {
            let failed = try await HapCommand(
                ["home", "add-accessory", HomeCommandFixture.code, address, "--state", home.state] + arguments
            )
            .outcome()
            #expect(failed.status == 64, "\(failed)")
        }
        let pairings = try await HapCommand.run("pairings", "--state", home.state)
        #expect(pairings.output.contains("not paired with any accessory"), "\(pairings)")

        // An error that only the accessory can reveal is reported later, with the way to continue.
        let unknown = try await home("add-accessory", HomeCommandFixture.code, address, "--service", "Lihgtbulb=Lamp")
        #expect(unknown.status == 64 && unknown.errors.contains("It has no service \"Lihgtbulb\""), "\(unknown)")
        #expect(unknown.errors.contains("It is paired as kilgo-garage; place it with --alias kilgo-garage."))
        let placed = try await home("add-accessory", "--alias", "kilgo-garage", "--service", "Lightbulb=Lamp")
        #expect(placed.status == 0 && placed.output.hasPrefix("Placed kilgo-garage:\n"), "\(placed)")
        let again = try await home("add-accessory", "--alias", "kilgo-garage")
        #expect(again.status == 64 && again.errors.contains("is already in Test House"), "\(again)")
        #expect(try await process.terminate().status == 0)
    }

    private static let lamp = """
        accessory: Desk
        services:
          - type: Lightbulb
            name: Desk Lamp
            characteristics: { On: false }

        """
    private static let outlet = """
          - type: Outlet
            name: Desk Outlet
            characteristics: { On: false }

        """

    @Test func runningHomeAdoptsAChangedAccessory() async throws {
        let folder = try TemporaryFolder()
        let arguments = [try folder.write(Self.lamp, to: "desk.yaml"), "--setup-code", HomeCommandFixture.code]
        let (first, ready) = try await HapCommand.serving(arguments, in: folder)
        let port = try #require(ready.first?.port)
        let home = try await HomeCommandFixture("home: Test House\nrooms: [Garage]\n")
        let added = try await home("add-accessory", HomeCommandFixture.code, "127.0.0.1:\(port)")
        #expect(added.status == 0, "\(added)")
        let run: HapCommand = try await home.startRun(until: "Desk can be reached")
        #expect(try await first.terminate().status == 0)
        try await HapCommand.wait { run.output.contains("cannot be reached") }

        // It is back on its saved port, with an additional service.
        _ = try folder.write(Self.lamp + Self.outlet, to: "desk.yaml")
        let (second, _) = try await HapCommand.serving(arguments, in: folder)
        try await HapCommand.wait { run.output.contains("Desk has a new service Desk Outlet.") }
        #expect(try await home().output.contains("Desk Outlet"))
        #expect(try await home("set", "Desk Outlet", "on").status == 0)
        #expect(try await run.terminate().status == 0)
        #expect(try await second.terminate().status == 0)
    }

    @Test func unpairedAccessoryIsReportedAndPairedAgain() async throws {
        let (process, address, _) = try await startServer()
        let home = try await HomeCommandFixture("home: Test House\nrooms: [Garage, Hall]\n")
        #expect(try await home("add-accessory", HomeCommandFixture.code, address, "--room", "Garage").status == 0)
        let paired = try await home().output
        #expect(!paired.contains("not paired"), "\(paired)")
        let unpaired = try await HapCommand.run("unpair", "kilgo-garage", "--state", home.state)
        #expect(unpaired.status == 0, "\(unpaired)")
        #expect(unpaired.output.contains("It stays in Test House as Kilgo Garage"), "\(unpaired)")
        let tree = try await home().output
        #expect(tree.contains(#/Garage Light +Light Bulb +Kilgo Garage +not paired/#), "\(tree)")
        #expect(try await home("--json").output.contains(#""paired":false"#))
        let set = try await home("set", "Garage Light", "on")
        #expect(set.status == 69 && set.output.contains("Kilgo Garage: It is not paired"), "\(set)")
        let run: HapCommand = try await home.startRun(
            until: "Kilgo Garage cannot be reached; retrying. It is not paired"
        )
        #expect(try await run.terminate().status == 0)

        let again = try await home("add-accessory", HomeCommandFixture.code, address, "--name", "Kilgo Garage")
        #expect(again.status == 0, "\(again)")
        #expect(again.output.hasPrefix("Paired again as kilgo-garage; its services in Test House:"), "\(again)")
        #expect(try await home().output == paired)
        // The room and the name may be used by another accessory now.
        _ = try await HapCommand.run("unpair", "kilgo-garage", "--state", home.state)
        let moved = try await home(
            "add-accessory",
            HomeCommandFixture.code,
            address,
            "--room",
            "Hall",
            "--name",
            "Hall Unit",
            "--service",
            "Lightbulb=Hall Light"
        )
        #expect(moved.status == 0, "\(moved)")
        #expect(try await home().output.contains(#/Hall Light +Light Bulb +Hall Unit\n/#))
        #expect(try await process.terminate().status == 0)
    }

    @Test func accessoryOfAFileIsFoundByName() async throws {
        let (process, address, _) = try await startServer()
        let home = try await HomeCommandFixture(Self.file)
        let added = try await home("add-accessory", HomeCommandFixture.code, address, "--room", "Garage")
        #expect(added.status == 0, "\(added)")
        let tree = try await home().output
        #expect(!tree.contains("not found") && !tree.contains("Kilgo Garage 2"), "\(tree)")
        #expect(tree.contains(#/Garage Light +Light Bulb +Kilgo Garage/#), "\(tree)")
        #expect(try await home("set", "Garage Light", "on").output == "Garage Light/On = on\n")
        let state = try await home("change", "scene", "Good Night", "[{ set: Garage Light/On, to: on }]")
        #expect(state.status == 0, "\(state)")
        #expect(try await home("scene", "state", "Good Night").output == "Good Night is on.\n")

        #expect(try await process.terminate().status == 0)
        let imported = try await home("import", home.folder("home.yaml"), "--dry-run")
        #expect(imported.errors.contains("kilgo-garage could not be read: "), "\(imported)")
    }
}
