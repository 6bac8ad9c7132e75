import AccessoryModel
import HAPCore
import Testing

@testable import Simulation

/// Every input in every situation of a door.
struct GarageDoorTableTests {
    /// A situation of a door, and the effect of each input in the order of ``DoorInput``.
    ///
    /// The effect consists of the immediate changes and, after a bar, the changes until the door has come to rest.
    struct Situation: Sendable {
        let name: String
        let script: [(after: Duration, input: DoorInput)]
        let outcomes: [String]
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let situation: Situation
        let input: DoorInput
        let outcome: String
        var testDescription: String { "\(situation.name): \(input)" }
    }

    //                         open        close       secure       unsecure   stop       obstruct         clear
    static let situations: [Situation] = [
        .init(
            name: "closed",
            script: [],
            outcomes: ["C2|C0", "|", "|L1", "|", "|", "O1|", "|"]
        ),
        .init(
            name: "opening",
            script: [(.zero, .open), (.seconds(3), .open)],
            outcomes: ["|C0", "C3|C1", "|C0", "|C0", "C4|", "O1|C0", "|C0"]
        ),
        .init(
            name: "open",
            script: [(.zero, .open), (.seconds(12), .open)],
            outcomes: ["|", "C3|C1", "|", "|", "|", "O1|", "|"]
        ),
        .init(
            name: "closing",
            script: [(.zero, .open), (.seconds(12), .close), (.seconds(3), .close)],
            outcomes: ["C2|C0", "|C1", "|C1 L1", "|C1", "C4|", "O1 T0 C2|C0", "|C1"]
        ),
        .init(
            name: "stopped on the way up",
            script: [(.zero, .open), (.seconds(3), .stop)],
            outcomes: ["C2|C0", "C3|C1", "|", "|", "|", "O1|", "|"]
        ),
        .init(
            name: "stopped on the way down",
            script: [(.zero, .open), (.seconds(12), .close), (.seconds(3), .stop)],
            outcomes: ["C2|C0", "C3|C1", "|", "|", "|", "O1|", "|"]
        ),
        .init(
            name: "closed and obstructed",
            script: [(.zero, .obstruct)],
            outcomes: ["C2|C0", "|", "|L1", "|", "|", "|", "O0|"]
        ),
        .init(
            name: "opening and obstructed",
            script: [(.zero, .open), (.seconds(3), .obstruct)],
            outcomes: ["|C0", "T0|C0", "|C0", "|C0", "C4|", "|C0", "O0|C0"]
        ),
        .init(
            name: "open and obstructed",
            script: [(.zero, .open), (.seconds(12), .obstruct)],
            outcomes: ["|", "T0|", "|", "|", "|", "|", "O0|"]
        ),
        .init(
            name: "stopped on the way down and obstructed",
            script: [(.zero, .open), (.seconds(12), .close), (.seconds(3), .stop), (.zero, .obstruct)],
            outcomes: ["C2|C0", "T0 C2|C0", "|", "|", "|", "|", "O0|"]
        ),
        .init(
            name: "being secured",
            script: [(.zero, .secure), (.milliseconds(500), .close)],
            outcomes: ["C2|C0", "|L1", "|L1", "|", "|L1", "O1|L1", "|L1"]
        ),
        .init(
            name: "secured",
            script: [(.zero, .secure), (.seconds(1), .close)],
            outcomes: ["-70412|", "|", "|", "|L0", "|", "O1|", "|"]
        ),
        .init(
            name: "being unsecured",
            script: [(.zero, .secure), (.seconds(1), .unsecure), (.milliseconds(500), .close)],
            outcomes: ["-70412|L0", "|L0", "|", "|L0", "|L0", "O1|L0", "|L0"]
        ),
    ]

    static let cases: [Case] = situations.flatMap { situation in
        zip(DoorInput.allCases, situation.outcomes).map { Case(situation: situation, input: $0, outcome: $1) }
    }

    @Test func theTableHasEveryInputInEverySituation() {
        #expect(Self.cases.count == Self.situations.count * DoorInput.allCases.count)
    }

    @Test(arguments: cases)
    func anInputHasItsEffectsNowAndLater(_ row: Case) {
        var door = BehaviorOwner.door()
        door.take(row.situation.script)
        let atOnce = door.take(row.input)
        let later = door.advance(by: .seconds(60)).notation
        #expect("\(atOnce)|\(later)" == row.outcome)
        #expect(door.device.nextDeadline == nil)
    }
}
