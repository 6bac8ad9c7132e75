import Foundation
import TestSupport
import Testing
import WebConsole

@testable import hap

/// `hap home add-accessory --all`, with a `hap serve` that is not announced.
@Suite(.serialized, .timeLimit(.minutes(5))) struct AddAllAccessoriesTests {
    private static let file = """
        home: Test House
        rooms: [Hall, Office]
        accessories:
          - { accessory: Desk Lamp, definition: lamp.yaml, room: Office, services: { Lightbulb: Work Light } }
          - { accessory: Plug, definition: plug.yaml, room: Hall, services: { Outlet: Plug } }
          - { accessory: Kettle, room: Hall }

        """

    private static func definition(_ name: String, _ service: String) -> String {
        "accessory: \(name)\nservices:\n  - type: \(service)\n    characteristics: { On: true }\n"
    }

    @Test func servedHouseIsPairedAndPlacedAtOnce() async throws {
        let home = try await HomeCommandFixture()
        _ = try home.folder.write(Self.definition("Desk Lamp", "Lightbulb"), to: "lamp.yaml")
        _ = try home.folder.write(Self.definition("Plug", "Outlet"), to: "plug.yaml")
        let file = try home.folder.write(Self.file, to: "home.yaml")
        let served = try TemporaryFolder()
        let (process, ready) = try await HapCommand.serving(["--home", file], in: served)
        #expect(ready.count == 2)
        let all = ["add-accessory", "--all", "--served-from", served("state")]
        func addAll(_ state: String, _ more: String...) async throws -> HapCommand.Outcome {
            try await HapCommand(["home"] + all + ["--state", state] + more).outcome()
        }

        let early = try await addAll(home.state)
        #expect(early.status == 64 && early.errors.contains("hap home import Config/home.yaml"), "\(early)")
        #expect(try await home("import", file).status == 0)
        let added = try await addAll(home.state)
        #expect(added.status == 0, "\(added)")
        #expect(
            added.output == """
                Desk Lamp  paired as desk-lamp  Work Light (Office)
                Plug       paired as plug       Plug (Hall)
                Not found yet: Kettle.

                """
        )
        #expect(try await home("set", "Office lights", "off").output == "Work Light/On = off\n")

        let again = try await addAll(home.state, "--json")
        #expect(again.status == 0 && again.output.contains(#""outcome":"unchanged","alias":"plug""#), "\(again)")
        // What is paired and was removed from the home is placed again.
        #expect(try await home("remove", "accessory", "Plug").status == 0)
        let placed = try await addAll(home.state)
        #expect(placed.output.contains("Plug       placed, was already paired"), "\(placed)")

        let other = try await HomeCommandFixture("home: Other House\n")
        let refused = try await addAll(other.state)
        #expect(refused.status == 2 && refused.errors == "hap: 2 of 2 accessories were not added.\n", "\(refused)")
        #expect(refused.output.contains("Plug       not added, paired with another controller"), "\(refused)")
        #expect(refused.output.contains("hap reset --pairings --state \(served("state"))"), "\(refused)")
        #expect(try await process.terminate().status == 0)
        let gone = try await addAll(home.state)
        #expect(gone.status == 69 && gone.isOneSentence, "\(gone)")
    }

    @Test func processesAreFoundInTheTableOfSockets() {
        let table = """
            Num       RefCount Protocol Flags    Type St Inode Path
            0000000000000000: 00000002 00000000 00010000 0001 01 41 /home/ada/my house/serve.sock
            0000000000000000: 00000003 00000000 00000000 0001 03 42 /home/ada/my house/serve.sock
            0000000000000000: 00000002 00000000 00010000 0001 01 43 /tmp/a/run.sock
            0000000000000000: 00000002 00000000 00010000 0001 01 44 state/serve.sock
            0000000000000000: 00000002 00000000 00010000 0001 01 45 /tmp/a/observe.sock
            0000000000000000: 00000002 00000000 00010000 0001 01 46
            """
        let found = RunningProcess.sockets(in: table, [.serve])
        #expect(found == [RunningProcess(.serve, in: "/home/ada/my house")])
    }
}
