import AccessoryModel
import HAPCore
import Testing

@testable import Simulation

struct LevelSensorTests {
    private typealias Sensor = BehaviorOwner<LevelSensor>

    private static func sensor(
        _ kind: LevelSensor.Kind,
        _ configuration: LevelSensor.Configuration? = nil,
        keeping values: [CharacteristicType: CharacteristicValue]
    ) -> BehaviorOwner<LevelSensor> {
        var owner = BehaviorOwner(LevelSensor(kind, configuration, seed: 3), keeping: values)
        _ = owner.start()
        return owner
    }

    @Test(arguments: LevelSensor.Kind.allCases)
    func aLevelStaysByItself(kind: LevelSensor.Kind) {
        var owner = BehaviorOwner(
            LevelSensor(kind),
            keeping: [kind.level: 3.25].merging(kind.alarm.map { [$0: 0] } ?? [:]) { $1 }
        )
        #expect(owner.start() == [])
        #expect(owner.device.nextDeadline == nil)
        #expect(owner.advance(by: .seconds(86_400)) == [])
    }

    @Test func aSensedLevelIsSet() {
        var sensor = Self.sensor(.temperature, keeping: [.currentTemperature: 20])
        #expect(
            sensor.perform(.applySensorInput(BehaviorChange(.currentTemperature, 25.37)))
                == [BehaviorChange(.currentTemperature, 25.37)]
        )
    }

    @Test func aRegularPatternRisesAndFallsInSteps() {
        var sensor = Self.sensor(
            .humidity,
            .init(.humidity, pattern: .regular, interval: .seconds(200), minimum: 40, maximum: 50),
            keeping: [.currentRelativeHumidity: 40]
        )
        var seen: [Int] = []
        while let deadline = sensor.device.nextDeadline, deadline.nanoseconds <= 200_000_000_000 {
            seen += sensor.advance(by: sensor.now.duration(to: deadline)).compactMap(\.value.integer)
        }
        #expect(seen == Array(41...50) + (40...49).reversed())
        #expect(sensor.advance(by: .seconds(25)).map(\.value) == [43])
    }

    @Test func aRandomPatternStaysWithinItsLevelsAndFollowsTheSeed() {
        func day(seed: UInt64) -> [BehaviorChange] {
            var owner = BehaviorOwner(
                LevelSensor(.temperature, .init(.temperature, pattern: .random, minimum: 18, maximum: 21), seed: seed),
                keeping: [.currentTemperature: 19]
            )
            _ = owner.start()
            var changes: [BehaviorChange] = []
            while let deadline = owner.device.nextDeadline, deadline.nanoseconds <= 86_400_000_000_000 {
                changes += owner.advance(by: owner.now.duration(to: deadline))
            }
            return changes
        }
        let changes = day(seed: 1)
        #expect(changes.count > 50)
        #expect(changes.allSatisfy { 18...21 ~= $0.value.finite })
        for (before, after) in zip(changes, changes.dropFirst()) {
            #expect(abs(abs(before.value.finite - after.value.finite) - 0.1) < 1e-6)
        }
        #expect(day(seed: 1) == changes)
        #expect(day(seed: 2) != changes)
    }

    @Test func driftContinuesFromASensedLevel() {
        var sensor = Self.sensor(
            .humidity,
            .init(.humidity, pattern: .regular, interval: .seconds(200), minimum: 40, maximum: 50),
            keeping: [.currentRelativeHumidity: 40]
        )
        _ = sensor.advance(by: .seconds(50))
        #expect(sensor.perform(.applySensorInput(BehaviorChange(.currentRelativeHumidity, 90)))?.map(\.value) == [90])
        #expect(sensor.advance(by: .seconds(50)).map(\.value) == [70])
        #expect(sensor.advance(by: .seconds(50)).map(\.value) == [50])
    }

    @Test(arguments: [
        (LevelSensor.Kind.carbonMonoxide, CharacteristicValue.integer(49), 0), (.carbonMonoxide, 50, 1),
        (.carbonDioxide, 999, 0), (.carbonDioxide, 1_000, 1),
    ])
    func aGasIsDetectedAtTheThreshold(kind: LevelSensor.Kind, level: CharacteristicValue, detected: Int) throws {
        let alarm = try #require(kind.alarm)
        var sensor = Self.sensor(kind, keeping: [kind.level: 1, alarm: 0])
        _ = sensor.perform(.applySensorInput(BehaviorChange(kind.level, level)))
        #expect(sensor.values[kind.level] == level)
        #expect(sensor.values[alarm] == .integer(detected))
    }

    @Test func thePeakIsTheMaximumUntilReset() {
        var sensor = Self.sensor(
            .carbonMonoxide,
            keeping: [.carbonMonoxideLevel: 4, .carbonMonoxidePeakLevel: 11, .carbonMonoxideDetected: 0]
        )
        #expect(sensor.values[.carbonMonoxidePeakLevel] == 11)
        _ = sensor.perform(.applySensorInput(BehaviorChange(.carbonMonoxideLevel, 70)))
        _ = sensor.perform(.applySensorInput(BehaviorChange(.carbonMonoxideLevel, 5)))
        #expect(sensor.values[.carbonMonoxidePeakLevel] == 70)
        #expect(sensor.values[.carbonMonoxideDetected] == 0)
        _ = sensor.perform(.applySensorInput(BehaviorChange(.carbonMonoxidePeakLevel, 0)))
        #expect(sensor.values[.carbonMonoxidePeakLevel] == 5)
    }

    @Test func aPeakBetweenTwoPollsCounts() {
        let configuration = LevelSensor.Configuration(
            .carbonDioxide,
            pattern: .regular,
            interval: .seconds(200),
            minimum: 400,
            maximum: 1_400
        )
        var sensor = Self.sensor(
            .carbonDioxide,
            configuration,
            keeping: [.carbonDioxideLevel: 400, .carbonDioxidePeakLevel: 400, .carbonDioxideDetected: 0]
        )
        let changes = sensor.advance(by: .seconds(200))
        #expect(changes == [BehaviorChange(.carbonDioxidePeakLevel, 1_400)])
    }

    @Test func withoutTheLevelAGasIsStillDetected() {
        var sensor = Self.sensor(.carbonMonoxide, keeping: [.carbonMonoxideDetected: 1])
        #expect(sensor.values == [.carbonMonoxideDetected: 1])
        #expect(
            sensor.perform(.applySensorInput(BehaviorChange(.carbonMonoxideDetected, false)))
                == [BehaviorChange(.carbonMonoxideDetected, 0)]
        )
        #expect(sensor.values == [.carbonMonoxideDetected: 0])
    }

    @Test func aSensedGasSetsTheLevelToTheThreshold() {
        var sensor = Self.sensor(.carbonDioxide, keeping: [.carbonDioxideLevel: 500, .carbonDioxideDetected: 0])
        _ = sensor.perform(.applySensorInput(BehaviorChange(.carbonDioxideDetected, 1)))
        #expect(sensor.values == [.carbonDioxideLevel: 1_000, .carbonDioxideDetected: 1])
    }

    @Test func contradictingStoredValuesAreCorrected() {
        var owner = BehaviorOwner(
            LevelSensor(.carbonDioxide),
            keeping: [.carbonDioxideLevel: 1_450, .carbonDioxideDetected: 0, .carbonDioxidePeakLevel: 900]
        )
        #expect(
            Set(owner.start()) == [
                BehaviorChange(.carbonDioxideDetected, 1), BehaviorChange(.carbonDioxidePeakLevel, 1_450),
            ]
        )
    }

    @Test(arguments: [
        BehaviorCommand.stop, .applySensorInput(BehaviorChange(.statusFault, 1)),
        .applySensorInput(BehaviorChange(.currentTemperature, "warm")),
        .applySensorInput(BehaviorChange(.currentTemperature, .number(.real(.nan)))),
    ])
    func otherCommandsAreRefused(command: BehaviorCommand) {
        var sensor = Self.sensor(.temperature, keeping: [.currentTemperature: 20])
        #expect(sensor.perform(command) == nil)
        #expect(sensor.values == [.currentTemperature: 20])
    }
}

extension CharacteristicValue {
    fileprivate var finite: Double { number?.double ?? .nan }
}
