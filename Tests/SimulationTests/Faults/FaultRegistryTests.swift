import AccessoryModel
import HAPCore
import Simulation
import Testing

/// The time, the target and the end of faults.
struct FaultRegistryTests {
    private static let subject = RequestSummary(.get, path: "/characteristics", characteristics: [.lamp])
    private static let start = MonotonicInstant.zero

    @Test func aFaultIsNamedLikeWhatItAffects() {
        let effect = FaultEffect.latency(.seconds(1)...(.seconds(1)), .any)
        #expect(Fault(effect).name == "latency")
        #expect(Fault(effect, on: .accessory(.second)).name == "latency on accessory 2")
        #expect(Fault(effect, on: .accessory(.second), named: "Far Lamp").name == "latency on Far Lamp")
    }

    @Test func aFaultWithoutALimitLastsUntilItIsCleared() {
        var board = FaultRegistry()
        let id = board.add(Fault(.silence(.any)), at: Self.start).id
        for day in 0..<400 {
            let now = Self.start.advanced(by: .seconds(86_400 * day))
            #expect(board.advance(to: now) == [])
            #expect(board.decision(at: .request(.one, Self.subject), now: now).0 == .hang)
        }
        #expect(board.nextDeadline == nil)
        #expect(board.clear { $0.id == id } == [.finished(Fault(.silence(.any)))])
        #expect(board.decision(at: .request(.one, Self.subject), now: Self.start).0 == .proceed)
        #expect(board.clear { $0.id == id } == [])
    }

    @Test(arguments: [1, 2, 5])
    func aCountLimitsAFault(count: Int) {
        var board = FaultRegistry()
        let fault = Fault(.status(.busy, .any), limit: FaultLimit(count: count))
        board.add(fault, at: Self.start)
        for number in 1...count {
            let (decision, news) = board.decision(
                at: .characteristicAccess(.one, .lamp, isWrite: false),
                now: Self.start
            )
            #expect(decision == .fail(.busy))
            let acts = FaultEvent.applied(fault, on: "the read of 2.9")
            #expect(news == (number == count ? [acts, .finished(fault)] : [acts]))
        }
        #expect(board.active == [])
        #expect(board.decision(at: .characteristicAccess(.one, .lamp, isWrite: false), now: Self.start).0 == .proceed)
    }

    @Test(arguments: [0, -1, Int.min])
    func aCountBelowOneIsOne(count: Int) {
        var board = FaultRegistry()
        board.add(Fault(.refuseConnections, limit: FaultLimit(count: count)), at: Self.start)
        #expect(board.decision(at: .accept(openConnections: 1), now: Self.start).0 == .reset)
        #expect(board.decision(at: .accept(openConnections: 1), now: Self.start).0 == .proceed)
    }

    @Test func aDurationEndsAFault() {
        var board = FaultRegistry()
        let fault = Fault(.dropEvents, limit: FaultLimit(duration: .seconds(30)))
        board.add(fault, at: Self.start)
        let end = Self.start.advanced(by: .seconds(30))
        let before = end.advanced(by: .nanoseconds(-1))
        let notice = FaultInjectionPoint.notification(.one, .lamp, .subscriber)
        #expect(board.nextDeadline == end)
        #expect(board.decision(at: notice, now: before).0 == .drop)
        #expect(board.advance(to: before) == [])
        // The fault is over even if the registry's time was not advanced.
        #expect(board.decision(at: notice, now: end).0 == .proceed)
        #expect(board.advance(to: end) == [.finished(fault)])
        #expect(board.nextDeadline == nil)
    }

    @Test func theFirstLimitReachedEndsAFault() {
        let fault = Fault(.refuseConnections, limit: FaultLimit(count: 2, duration: .seconds(1)))
        var counted = FaultRegistry()
        counted.add(fault, at: Self.start)
        _ = counted.decision(at: .accept(openConnections: 1), now: Self.start)
        _ = counted.decision(at: .accept(openConnections: 1), now: Self.start)
        #expect(counted.active == [])
        var timed = FaultRegistry()
        timed.add(fault, at: Self.start)
        _ = timed.decision(at: .accept(openConnections: 1), now: Self.start)
        #expect(timed.advance(to: Self.start.advanced(by: .seconds(1))) == [.finished(fault)])
    }

    @Test func faultsEndInTheOrderOfTheirTimes() {
        var board = FaultRegistry()
        let faults = [3, 1, 2, 1].map { Fault(.vanish, limit: FaultLimit(duration: .seconds($0))) }
        for fault in faults {
            board.add(fault, at: Self.start)
        }
        let news = board.advance(to: Self.start.advanced(by: .seconds(10)))
        #expect(news == [faults[1], faults[3], faults[2], faults[0]].map { .finished($0) })
    }

    @Test(arguments: [FaultEffect.closeConnections, .forgetPairings])
    func aOneTimeEffectEndsAtOnce(effect: FaultEffect) {
        var board = FaultRegistry()
        let news = board.add(Fault(effect), at: Self.start).news
        #expect(news == [.applied(Fault(effect), on: "the server"), .finished(Fault(effect))])
        #expect(board.active == [])
    }

    @Test func aRebootEndsWhenTheServerIsBack() {
        var board = FaultRegistry()
        let fault = Fault(.reboot(away: .seconds(5)), limit: FaultLimit(count: 7, duration: .seconds(1)))
        #expect(board.add(fault, at: Self.start).news == [.applied(fault, on: "the server")])
        #expect(board.conditions.reachability == .rebooting)
        #expect(board.advance(to: Self.start.advanced(by: .seconds(4))) == [])
        #expect(board.advance(to: Self.start.advanced(by: .seconds(5))) == [.finished(fault)])
        #expect(board.conditions == ServerConditions())
    }

    @Test func theSameSeedDrawsTheSameDelays() {
        func delays(seed: UInt64) -> [FaultDecision] {
            var board = FaultRegistry(seed: seed)
            board.add(Fault(.latency(.seconds(1)...(.seconds(9)), .any)), at: Self.start)
            return (0..<50).map { _ in board.decision(at: .request(.one, Self.subject), now: Self.start).0 }
        }
        #expect(delays(seed: 7) == delays(seed: 7))
        #expect(delays(seed: 7) != delays(seed: 8))
        for delay in delays(seed: 7) {
            guard case .delay(let duration) = delay else {
                Issue.record("\(delay) is no delay")
                continue
            }
            #expect(duration >= .seconds(1) && duration <= .seconds(9))
        }
        #expect(Set(delays(seed: 7)).count > 40)
    }

    @Test func delaysAddUp() {
        var board = FaultRegistry()
        board.add(Fault(.latency(.seconds(1)...(.seconds(1)), .any)), at: Self.start)
        board.add(Fault(.latency(.seconds(2)...(.seconds(2)), .reads), on: .accessory(.second)), at: Self.start)
        board.add(Fault(.latency(.seconds(4)...(.seconds(4)), .writes)), at: Self.start)
        #expect(board.decision(at: .request(.one, Self.subject), now: Self.start).0 == .delay(.seconds(3)))
    }

    @Test func noLimitTraps() {
        var board = FaultRegistry()
        let longest = Duration.seconds(Int64.max)
        for _ in 0..<100 {
            board.add(Fault(.latency(longest...longest, .any), limit: FaultLimit(duration: longest)), at: Self.start)
            board.add(Fault(.delayEvents(longest), limit: FaultLimit(duration: .zero - longest)), at: Self.start)
            board.add(Fault(.delayEvents(longest)), at: MonotonicInstant(nanoseconds: .max))
        }
        _ = board.decision(at: .request(.one, Self.subject), now: Self.start)
        _ = board.decision(at: .notification(.one, .lamp, .subscriber), now: MonotonicInstant(nanoseconds: .min))
        #expect(!board.advance(to: MonotonicInstant(nanoseconds: .max)).isEmpty)
    }

    @Test func eventsHaveDescriptions() {
        let everywhere = Fault(.silence(.any))
        let lamp = Fault(.status(.busy, .any), on: .characteristic(.lamp))
        #expect(
            FaultEvent.applied(everywhere, on: "GET /accessories").description
                == "Fault silence was applied to GET /accessories."
        )
        #expect(FaultEvent.finished(lamp).description == "Fault status on characteristic 2.9 has ended.")
    }
}

extension ConnectionID {
    static let one = ConnectionID(1)
}

extension AccessoryID {
    static let second: AccessoryID = {
        guard let id = AccessoryID(2) else { preconditionFailure("2 is an accessory's id") }
        return id
    }()
}

extension CharacteristicID {
    static let lamp: CharacteristicID = {
        guard let id = CharacteristicID(2, 9) else { preconditionFailure("2.9 is an id") }
        return id
    }()
    static let door: CharacteristicID = {
        guard let id = CharacteristicID(1, 9) else { preconditionFailure("1.9 is an id") }
        return id
    }()
}
