import HAPCore
import TestSupport
import Testing

@testable import HAPServer

/// The assignment of turns in pair-setup, in simulated time.
///
/// HAP: §6.3 (concurrency)
@Suite struct PairSetupSlotTests {
    private static let limits = ConnectionLimits()

    /// The slot with a clock, and connections that send M1.
    private final class SlotFixture {
        var slot = PairSetupSlot(shortTurnTime: limits.pairSetupShortTurnTime, turnTime: limits.pairSetupTurnTime)
        var now = MonotonicInstant.zero
        /// The connection whose exchange ended because the current one began, or `nil` if there was none.
        var preempted: ConnectionID?

        /// Sends M1; returns whether an exchange begins.
        func start(_ id: UInt64, of host: UInt8, isOwnerWorking: Bool = false) -> Bool {
            let (id, host) = (ConnectionID(id), PeerHost.ipv4([127, 0, 0, host]))
            guard slot.isFree(for: id, of: host, isOwnerWorking: isOwnerWorking, at: now) else {
                slot.recordRefusal(of: host, at: now)
                slot.release(id, at: now)
                return false
            }
            preempted = slot.begin(id, of: host, at: now)
            return true
        }

        func advance(bySeconds seconds: Int64) {
            now = now.advanced(by: .seconds(seconds))
        }
    }

    /// Host 1 sends M1 and repeats it `repeats` times, in some cases after it has wasted an earlier turn.
    ///
    /// After the given number of seconds, host 2 gets the slot only if the turn of host 1 is over.
    @Test(
        arguments: [
            (0, false, 119, false), (0, false, 120, true), (1, false, 119, false), (2, false, 29, false),
            (2, false, 30, true), (0, true, 29, false), (0, true, 30, true),
        ] as [(Int, Bool, Int64, Bool)]
    )
    func turnLastsTwoMinutesOrHalfAMinuteAfterARepeatOrWastedTurn(
        repeats: Int,
        hasWastedTurn: Bool,
        seconds: Int64,
        isOver: Bool
    ) {
        let bench = SlotFixture()
        if hasWastedTurn {
            #expect(bench.start(1, of: 1))
            bench.advance(bySeconds: 31)
            bench.slot.release(ConnectionID(1), at: bench.now)
        }
        for _ in 0...repeats {
            #expect(bench.start(1, of: 1))
        }
        bench.advance(bySeconds: seconds)
        #expect(bench.start(2, of: 2) == isOver)
        #expect(bench.preempted == (isOver ? ConnectionID(1) : nil))
    }

    @Test func proofCheckIsNotInterrupted() {
        let bench = SlotFixture()
        #expect(bench.start(1, of: 1))
        bench.slot.recordProof(of: ConnectionID(1), at: bench.now)
        bench.advance(bySeconds: 3_000)
        #expect(!bench.start(2, of: 2, isOwnerWorking: true))
        #expect(bench.start(2, of: 2))
        // Host 1 has not wasted its turn, so its next turn has the full time again.
        bench.slot.release(ConnectionID(2), at: bench.now)
        #expect(bench.start(1, of: 1))
        bench.advance(bySeconds: 119)
        #expect(!bench.start(2, of: 2))
    }

    @Test func hostThatHadItsTurnYieldsToAWaitingHost() {
        let bench = SlotFixture()
        #expect(bench.start(1, of: 1))
        #expect(!bench.start(2, of: 2))
        bench.slot.release(ConnectionID(1), at: bench.now)
        #expect(!bench.start(1, of: 1))
        bench.advance(bySeconds: 29)
        #expect(!bench.start(3, of: 1))
        #expect(bench.start(2, of: 2))
        // Host 1 waits, but stops sending M1. After half a minute, it is ignored.
        #expect(!bench.start(1, of: 1))
        bench.slot.release(ConnectionID(2), at: bench.now)
        bench.advance(bySeconds: 30)
        #expect(bench.start(2, of: 2))
    }

    @Test func secondConnectionOfAHostWaitsHalfAMinute() {
        let bench = SlotFixture()
        #expect(bench.start(1, of: 1))
        bench.advance(bySeconds: 29)
        #expect(!bench.start(2, of: 1))
        bench.advance(bySeconds: 1)
        #expect(bench.start(2, of: 1))
        #expect(bench.preempted == ConnectionID(1))
        // Later messages of the previous owner do not affect the new one.
        bench.slot.release(ConnectionID(1), at: bench.now)
        #expect(bench.slot.owner?.id == ConnectionID(2))
    }

    /// Every connection sends M1 every second, except that the owner of the slot may stay silent.
    ///
    /// The last host has one connection, and each of the others has eight.
    @Test(arguments: [2, 5, 20], [true, false])
    func eachHostHasOneTurnPerRound(hosts: Int, repeatsM1: Bool) {
        let bench = SlotFixture()
        var turns: [UInt8] = []
        var owner: ConnectionID?
        for _ in 0..<(hosts * 4 * 120) {
            // The last host has a single connection, and always tries last.
            for host in 1...UInt8(hosts) {
                for connection in 0..<(host == hosts ? 1 : 8) {
                    let id = UInt64(host) * 100 + UInt64(connection)
                    guard repeatsM1 || bench.slot.owner?.id != ConnectionID(id) else { continue }
                    guard bench.start(id, of: host), bench.slot.owner?.id != owner else { continue }
                    owner = bench.slot.owner?.id
                    turns.append(host)
                }
            }
            bench.advance(bySeconds: 1)
        }
        #expect(turns.count >= 4 * hosts)
        // In each round of turns, every host has exactly one turn.
        for start in stride(from: 0, through: turns.count - hosts, by: hosts) {
            #expect(Set(turns[start..<start + hosts]).count == hosts)
        }
    }

    @Test func hostsBeyondTheLimitAreDroppedButNotTheOwner() {
        let bench = SlotFixture()
        #expect(bench.start(1, of: 1))
        for number in 0..<(4 * PairSetupSlot.maximumHosts) {
            bench.slot.recordRefusal(of: .ipv4([10, 0, UInt8(number >> 8), UInt8(number & 0xFF)]), at: bench.now)
            #expect(bench.slot.hostCount <= PairSetupSlot.maximumHosts)
        }
        bench.advance(bySeconds: 120)
        #expect(bench.start(2, of: 2))
        bench.slot.release(ConnectionID(2), at: bench.now)
        #expect(bench.start(1, of: 1))
        // Host 3 waits from now on. It has not had a turn, so it precedes host 1.
        #expect(!bench.start(3, of: 3))
        bench.slot.release(ConnectionID(1), at: bench.now)
        #expect(!bench.start(1, of: 1))
        #expect(bench.start(3, of: 3))
    }

    @Test func correctProofExtendsTheTurnForTheNextMessage() {
        let bench = SlotFixture()
        #expect(bench.start(1, of: 1))
        bench.advance(bySeconds: 119)
        bench.slot.recordProof(of: ConnectionID(1), at: bench.now)
        bench.advance(bySeconds: 9)
        #expect(!bench.start(2, of: 2))
        bench.advance(bySeconds: 1)
        #expect(bench.start(2, of: 2))
    }
}
