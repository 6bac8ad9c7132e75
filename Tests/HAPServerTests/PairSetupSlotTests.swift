import HAPCore
import TestSupport
import Testing

@testable import HAPServer

/// Whose turn it is in pair-setup, in simulated time.
///
/// HAP: §6.3 (concurrency)
@Suite struct PairSetupSlotTests {
    private static let limits = ConnectionLimits()

    /// The slot with a clock, and connections that send M1.
    private final class Bench {
        var slot = PairSetupSlot(patience: limits.pairSetupPatience, turnTime: limits.pairSetupTurnTime)
        var now = MonotonicInstant.zero
        /// The connection that lost its exchange last.
        var loser: ConnectionID?

        /// Sends M1; returns whether an exchange begins.
        func start(_ id: UInt64, of host: UInt8, isOwnerWorking: Bool = false) -> Bool {
            let (id, host) = (ConnectionID(id), PeerHost.ipv4([127, 0, 0, host]))
            guard slot.isFree(for: id, of: host, isOwnerWorking: isOwnerWorking, at: now) else {
                slot.refuse(host, at: now)
                slot.release(id, at: now)
                return false
            }
            loser = slot.begin(id, of: host, at: now)
            return true
        }

        func wait(_ seconds: Int64) {
            now = now.advanced(by: .seconds(seconds))
        }
    }

    /// Host 1 has the turn after `repeats` more M1 and after an earlier turn that it let pass, or not.
    @Test(
        arguments: [
            (0, false, 119, false), (0, false, 120, true), (1, false, 119, false), (2, false, 29, false),
            (2, false, 30, true), (0, true, 29, false), (0, true, 30, true),
        ] as [(Int, Bool, Int64, Bool)]
    )
    func aTurnLastsTwoMinutesOrHalfOfOneWhenItIsRepeatedOrWasWasted(
        repeats: Int,
        hasWastedTurn: Bool,
        seconds: Int64,
        isOver: Bool
    ) {
        let bench = Bench()
        if hasWastedTurn {
            #expect(bench.start(1, of: 1))
            bench.wait(31)
            bench.slot.release(ConnectionID(1), at: bench.now)
        }
        for _ in 0...repeats {
            #expect(bench.start(1, of: 1))
        }
        bench.wait(seconds)
        #expect(bench.start(2, of: 2) == isOver)
        #expect(bench.loser == (isOver ? ConnectionID(1) : nil))
    }

    @Test func aProofThatIsBeingCheckedIsNotInterrupted() {
        let bench = Bench()
        #expect(bench.start(1, of: 1))
        bench.slot.noteProof(of: ConnectionID(1), at: bench.now)
        bench.wait(3_000)
        #expect(!bench.start(2, of: 2, isOwnerWorking: true))
        #expect(bench.start(2, of: 2))
        // Its turn was not wasted, so that it has the whole time again.
        bench.slot.release(ConnectionID(2), at: bench.now)
        #expect(bench.start(1, of: 1))
        bench.wait(119)
        #expect(!bench.start(2, of: 2))
    }

    @Test func aHostThatHasHadItsTurnWaitsForTheOneThatWaits() {
        let bench = Bench()
        #expect(bench.start(1, of: 1))
        #expect(!bench.start(2, of: 2))
        bench.slot.release(ConnectionID(1), at: bench.now)
        #expect(!bench.start(1, of: 1))
        bench.wait(29)
        #expect(!bench.start(3, of: 1))
        #expect(bench.start(2, of: 2))
        // Nothing more of a host that has given up.
        #expect(!bench.start(1, of: 1))
        bench.slot.release(ConnectionID(2), at: bench.now)
        bench.wait(30)
        #expect(bench.start(2, of: 2))
    }

    @Test func anotherConnectionOfTheSameHostWaitsForHalfAMinute() {
        let bench = Bench()
        #expect(bench.start(1, of: 1))
        bench.wait(29)
        #expect(!bench.start(2, of: 1))
        bench.wait(1)
        #expect(bench.start(2, of: 1))
        #expect(bench.loser == ConnectionID(1))
        // What the loser does later does not touch the new owner.
        bench.slot.release(ConnectionID(1), at: bench.now)
        #expect(bench.slot.owner?.id == ConnectionID(2))
    }

    /// Hosts with 1, 4, 8 … connections that send M1 every second: the owner repeats it, or holds the slot in silence.
    @Test(arguments: [2, 5, 20], [true, false])
    func eachOfManyHostsHasItsTurnOnceInARound(hosts: Int, repeatsM1: Bool) {
        let bench = Bench()
        var turns: [UInt8] = []
        var owner: ConnectionID?
        for _ in 0..<(hosts * 4 * 120) {
            // The last host has one connection, and asks last.
            for host in 1...UInt8(hosts) {
                for connection in 0..<(host == hosts ? 1 : 8) {
                    let id = UInt64(host) * 100 + UInt64(connection)
                    guard repeatsM1 || bench.slot.owner?.id != ConnectionID(id) else { continue }
                    guard bench.start(id, of: host), bench.slot.owner?.id != owner else { continue }
                    owner = bench.slot.owner?.id
                    turns.append(host)
                }
            }
            bench.wait(1)
        }
        #expect(turns.count >= 4 * hosts)
        // Between two turns of a host each of the others has exactly one.
        for start in stride(from: 0, through: turns.count - hosts, by: hosts) {
            #expect(Set(turns[start..<start + hosts]).count == hosts)
        }
    }

    @Test func hostsBeyondTheLimitAreForgottenAndTheOwnerIsNot() {
        let bench = Bench()
        #expect(bench.start(1, of: 1))
        for number in 0..<(4 * PairSetupSlot.maximumHosts) {
            bench.slot.refuse(.ipv4([10, 0, UInt8(number >> 8), UInt8(number & 0xFF)]), at: bench.now)
            #expect(bench.slot.rememberedHosts <= PairSetupSlot.maximumHosts)
        }
        bench.wait(120)
        #expect(bench.start(2, of: 2))
        bench.slot.release(ConnectionID(2), at: bench.now)
        #expect(bench.start(1, of: 1))
        // It has had a turn, so that a host without one comes first.
        #expect(!bench.start(3, of: 3))
        bench.slot.release(ConnectionID(1), at: bench.now)
        #expect(!bench.start(1, of: 1))
        #expect(bench.start(3, of: 3))
    }

    @Test func aTurnLastsForTheMessageAfterARightProof() {
        let bench = Bench()
        #expect(bench.start(1, of: 1))
        bench.wait(119)
        bench.slot.noteProof(of: ConnectionID(1), at: bench.now)
        bench.wait(9)
        #expect(!bench.start(2, of: 2))
        bench.wait(1)
        #expect(bench.start(2, of: 2))
    }
}
