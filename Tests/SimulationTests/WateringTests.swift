import AccessoryModel
import HAPCore
import Testing

@testable import Simulation

struct WateringTests {
    private static func valve(
        active: Bool = false,
        inUse: Bool = false,
        set: Int? = 300,
        remaining: Int = 0,
        _ configuration: Valve.Configuration = .init(travelDuration: .seconds(2))
    ) -> BehaviorOwner<Valve> {
        var values: [CharacteristicType: CharacteristicValue] = [
            .active: active ? 1 : 0, .inUse: inUse ? 1 : 0, .remainingDuration: .integer(remaining),
        ]
        values[.setDuration] = set.map { .integer($0) }
        var owner = BehaviorOwner(Valve(configuration), keeping: values)
        _ = owner.start()
        return owner
    }

    @Test func aValveOpensCountsDownAndCloses() {
        var valve = Self.valve()
        #expect(valve.write(.active, 1).changes == [BehaviorChange(.remainingDuration, 300)])
        #expect(valve.advance(by: .seconds(2)) == [BehaviorChange(.inUse, 1)])
        var reported: [Int] = []
        for _ in 0..<4 {
            guard let deadline = valve.device.nextDeadline else { break }
            reported += valve.advance(by: valve.now.duration(to: deadline)).compactMap(\.value.integer)
        }
        #expect(reported == [240, 180, 120, 60])
        #expect(valve.reading("remaining", in: .milliseconds(500)) == 59.5)
        #expect(
            valve.advance(by: .seconds(60)) == [BehaviorChange(.active, 0), BehaviorChange(.remainingDuration, 0)]
        )
        #expect(valve.advance(by: .seconds(2)) == [BehaviorChange(.inUse, 0)])
        #expect(valve.device.nextDeadline == nil)
    }

    @Test func turningItOffClosesItEarly() {
        var valve = Self.valve()
        _ = valve.write(.active, 1)
        _ = valve.advance(by: .seconds(100))
        #expect(valve.write(.active, 0).changes == [BehaviorChange(.remainingDuration, 0)])
        #expect(valve.values[.inUse] == 1)
        #expect(valve.advance(by: .seconds(2)) == [BehaviorChange(.inUse, 0)])
    }

    @Test func turningItOffWhileOpeningClosesIt() {
        var valve = Self.valve()
        _ = valve.write(.active, 1)
        _ = valve.write(.active, 0)
        #expect(valve.device.nextDeadline == nil)
        #expect(valve.values[.remainingDuration] == 0)
    }

    @Test(arguments: [nil, 0])
    func withoutADurationItStaysOpenUntilTurnedOff(set: Int?) {
        var valve = Self.valve(set: set)
        _ = valve.write(.active, 1)
        #expect(valve.advance(by: .seconds(86_400)) == [BehaviorChange(.inUse, 1)])
        #expect(valve.device.nextDeadline == nil)
    }

    @Test func theDefaultDurationAppliesWithoutASetDuration() {
        var valve = Self.valve(set: nil, .init(travelDuration: .zero, defaultDuration: .seconds(30)))
        #expect(valve.write(.active, 1).changes.contains(BehaviorChange(.inUse, 1)))
        #expect(valve.values[.remainingDuration] == 30)
        _ = valve.advance(by: .seconds(30))
        #expect(valve.values[.inUse] == 0)
    }

    @Test func theDurationOfARequestAppliesInAnyOrder() {
        let active = BehaviorChange(.active, 1)
        let time = BehaviorChange(.setDuration, 90)
        for writes in [[active, time], [time, active]] {
            var valve = Self.valve()
            _ = valve.write(writes)
            #expect(valve.values[.remainingDuration] == 90)
        }
    }

    @Test func aDurationWrittenWhileOpenCountsFromTheOpening() {
        var valve = Self.valve(.init(travelDuration: .zero))
        _ = valve.write(.active, 1)
        _ = valve.advance(by: .seconds(100))
        #expect(valve.write(.setDuration, 400).changes == [BehaviorChange(.remainingDuration, 300)])
        _ = valve.write(.setDuration, 50)
        #expect(valve.values[.active] == 0)
        #expect(valve.values[.inUse] == 0)
    }

    @Test func anOpenValveContinuesForItsRemainingDuration() {
        var valve = Self.valve(active: true, inUse: true, set: 900, remaining: 420)
        #expect(valve.values[.remainingDuration] == 420)
        _ = valve.advance(by: .seconds(419))
        #expect(valve.values[.active] == 1)
        _ = valve.advance(by: .seconds(1))
        #expect(valve.values[.active] == 0)
    }

    @Test func aClosedValveHasNoRemainingDuration() {
        let valve = Self.valve(inUse: true, remaining: 100)
        #expect(valve.values[.inUse] == 0)
        #expect(valve.values[.remainingDuration] == 0)
    }

    @Test(arguments: [ServiceType.irrigationSystem, .faucet])
    func turningOffTheSystemClosesTheValve(system: ServiceType) {
        var valve = Self.valve(.init(travelDuration: .zero))
        _ = valve.write(.active, 1)
        #expect(valve.observe([BehaviorChange(.active, 1)], of: ServiceKey(system)) == [])
        #expect(valve.observe([BehaviorChange(.active, 0)], of: ServiceKey(system)).count == 3)
        #expect(valve.values[.active] == 0)
    }

    @Test(arguments: [
        (CharacteristicType.active, CharacteristicValue.integer(2), HAPStatus.invalidValue),
        (.setDuration, "long", .invalidValue), (.setDuration, .number(.real(.nan)), .invalidValue),
        (.inUse, 1, .readOnly), (.remainingDuration, 1, .readOnly),
    ])
    func unsupportedValuesAreRefused(type: CharacteristicType, value: CharacteristicValue, status: HAPStatus) {
        var valve = Self.valve()
        #expect(valve.write(type, value) == BehaviorResponse(refusals: [type: status]))
    }

    // MARK: - Systems

    private static let lawn = ServiceKey(.valve, subtype: "lawn")
    private static let roses = ServiceKey(.valve, subtype: "roses")

    private static func system() -> BehaviorOwner<WaterSystem> {
        var owner = BehaviorOwner(
            WaterSystem(),
            keeping: [.active: 0, .programMode: 1, .inUse: 0, .remainingDuration: 0]
        )
        #expect(owner.start() == [])
        for valve in [lawn, roses] {
            let values = [
                BehaviorChange(.active, 0), BehaviorChange(.inUse, 0), BehaviorChange(.remainingDuration, 0),
            ]
            #expect(owner.observe(values, of: valve) == [])
        }
        return owner
    }

    @Test func aSystemIsInUseWithTheLongestOfItsValves() {
        var system = Self.system()
        #expect(
            system.observe([BehaviorChange(.active, 1), BehaviorChange(.remainingDuration, 600)], of: Self.lawn) == [
                BehaviorChange(.active, 1), BehaviorChange(.programMode, 2), BehaviorChange(.remainingDuration, 600),
            ]
        )
        #expect(system.observe([BehaviorChange(.inUse, 1)], of: Self.lawn) == [BehaviorChange(.inUse, 1)])
        let second = [BehaviorChange(.active, 1), BehaviorChange(.inUse, 1), BehaviorChange(.remainingDuration, 900)]
        #expect(system.observe(second, of: Self.roses) == [BehaviorChange(.remainingDuration, 900)])
        let end = [BehaviorChange(.active, 0), BehaviorChange(.inUse, 0), BehaviorChange(.remainingDuration, 0)]
        #expect(system.observe(end, of: Self.roses) == [BehaviorChange(.remainingDuration, 600)])
        _ = system.observe(end, of: Self.lawn)
        #expect(system.values == [.active: 1, .programMode: 1, .inUse: 0, .remainingDuration: 0])
    }

    @Test func aValveThatStartsOpenWasNotTurnedOn() {
        var owner = BehaviorOwner(
            WaterSystem(),
            keeping: [.active: 1, .programMode: 1, .inUse: 1, .remainingDuration: 420]
        )
        #expect(owner.start() == [])
        let values = [BehaviorChange(.active, 1), BehaviorChange(.inUse, 1), BehaviorChange(.remainingDuration, 420)]
        #expect(owner.observe(values, of: Self.lawn) == [])
    }

    @Test func aFaucetReportsNoMissingCharacteristics() {
        var owner = BehaviorOwner(WaterSystem(), keeping: [.active: 0])
        #expect(owner.start() == [])
        _ = owner.observe([BehaviorChange(.active, 0), BehaviorChange(.inUse, 0)], of: Self.lawn)
        #expect(
            owner.observe([BehaviorChange(.active, 1), BehaviorChange(.inUse, 1)], of: Self.lawn) == [
                BehaviorChange(.active, 1)
            ]
        )
        #expect(owner.write(.active, "on").refusals == [.active: .invalidValue])
    }
}
