import AccessoryModel
import HAPCore
import Testing

@testable import Simulation

struct AirPurifierTests {
    private static let purifierKey = ServiceKey(.airPurifier)

    private static func state(_ state: Int) -> [BehaviorChange] {
        [BehaviorChange(.currentAirPurifierState, .integer(state))]
    }

    @Test func itIsIdleUntilItIsUpToSpeed() {
        var purifier = BehaviorOwner(BlowerDevice(.airPurifier))
        #expect(purifier.start().reported == "Active 0, TargetAirPurifierState 0, CurrentAirPurifierState 0")
        #expect(purifier.write(.active, 1).changes.reported == "CurrentAirPurifierState 1")
        #expect(purifier.live(for: .seconds(60)) == ["3.0: CurrentAirPurifierState 2"])
        #expect(purifier.write(.targetAirPurifierState, 1) == BehaviorResponse())
        #expect(purifier.live(for: .seconds(900)) == ["660.0: CurrentAirPurifierState 1"])
        #expect(purifier.write(.active, 0).changes.reported == "CurrentAirPurifierState 0")
        #expect(purifier.device.nextDeadline == nil)
    }

    @Test func theFilterWearsWhileThePurifierRuns() {
        var filter = FilterLife(.init(lifetime: .seconds(1_000), changeThreshold: 98))
        _ = filter.start(with: [.filterChangeIndication: 0, .filterLifeLevel: 100], at: .zero)
        #expect(filter.nextDeadline == nil)
        #expect(filter.observe(Self.state(2), of: Self.purifierKey, at: .zero) == [])
        #expect(filter.readings(at: Self.second(5)).first?.number == 99.5)
        #expect(filter.advance(to: Self.second(10)).reported == "FilterLifeLevel 99")
        #expect(filter.observe(Self.state(0), of: Self.purifierKey, at: Self.second(15)) == [])
        #expect(filter.nextDeadline == nil)
        #expect(filter.observe(Self.state(2), of: Self.purifierKey, at: Self.second(100)) == [])
        #expect(filter.advance(to: Self.second(104.9)) == [])
        #expect(filter.advance(to: Self.second(105.1)).reported == "FilterLifeLevel 98, FilterChangeIndication 1")
        #expect(filter.advance(to: Self.second(9_999)).reported == "FilterLifeLevel 0")
        #expect(filter.nextDeadline == nil)
    }

    @Test func itObservesOnlyPurifiers() {
        var filter = FilterLife()
        #expect(filter.observedServices == [.airPurifier])
        #expect(filter.observe([BehaviorChange(.active, 1)], of: Self.purifierKey, at: .zero) == [])
        #expect(filter.nextDeadline == nil)
    }

    @Test(arguments: [true, false])
    func aResetRestoresTheFilterAfterASecond(isRunning: Bool) {
        var filter = FilterLife(.init(lifetime: .seconds(1_000_000)))
        let stored: [CharacteristicType: CharacteristicValue] = [
            .filterChangeIndication: 1, .filterLifeLevel: 3, .resetFilterIndication: 0,
        ]
        #expect(filter.start(with: stored, at: .zero) == [])
        _ = filter.observe(Self.state(isRunning ? 2 : 0), of: Self.purifierKey, at: .zero)
        #expect(filter.write([BehaviorChange(.resetFilterIndication, 1)], at: .zero) == BehaviorResponse())
        #expect(filter.advance(to: Self.second(0.999)) == [])
        #expect(
            filter.advance(to: Self.second(1)).reported
                == "ResetFilterIndication 0, FilterLifeLevel 100, FilterChangeIndication 0"
        )
        #expect((filter.nextDeadline != nil) == isRunning)
    }

    @Test func aWriteOnlyResetNeedsNoClearing() {
        var filter = FilterLife()
        _ = filter.start(with: [.filterChangeIndication: 1], at: .zero)
        _ = filter.write([BehaviorChange(.resetFilterIndication, 1)], at: .zero)
        #expect(filter.advance(to: Self.second(1)).reported == "FilterChangeIndication 0")
    }

    @Test(
        arguments: [
            (0, 5, "FilterChangeIndication 1"), (1, 50, "FilterChangeIndication 0"), (1, nil, ""), (0, nil, ""),
            (nil, nil, "FilterChangeIndication 0"), (7, 1_000, "FilterLifeLevel 100, FilterChangeIndication 0"),
        ] as [(Int?, Int?, String)]
    )
    func itStartsConsistent(indication: Int?, level: Int?, reported: String) {
        var stored: [CharacteristicType: CharacteristicValue] = [:]
        stored[.filterChangeIndication] = indication.map { .integer($0) }
        stored[.filterLifeLevel] = level.map { .integer($0) }
        var filter = FilterLife()
        #expect(filter.start(with: stored, at: .zero).reported == reported)
    }

    @Test func aUsedFilterCanBeInstalled() {
        var filter = FilterLife()
        _ = filter.start(with: [.filterChangeIndication: 0, .filterLifeLevel: 100], at: .zero)
        let reported = filter.perform(.applySensorInput(BehaviorChange(.filterLifeLevel, 8)), at: .zero)?.reported
        #expect(reported == "FilterLifeLevel 8, FilterChangeIndication 1")
        #expect(filter.perform(.applySensorInput(BehaviorChange(.filterChangeIndication, 1)), at: .zero) == nil)
        let refused = filter.write([BehaviorChange(.filterLifeLevel, 8)], at: .zero)
        #expect(refused == BehaviorResponse(refusals: [.filterLifeLevel: .readOnly]))
    }

    private static func second(_ second: Double) -> MonotonicInstant {
        .zero.advanced(by: .seconds(second))
    }
}
