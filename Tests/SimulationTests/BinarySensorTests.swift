import AccessoryModel
import HAPCore
import Testing

@testable import Simulation

struct BinarySensorTests {
    private typealias Sensor = BehaviorOwner<BinarySensor>

    private static func sensor(
        _ kind: BinarySensor.Kind = .occupancy,
        _ configuration: BinarySensor.Configuration = .init(),
        seed: UInt64 = 1
    ) -> BehaviorOwner<BinarySensor> {
        var owner = BehaviorOwner(
            BinarySensor(kind, configuration, seed: seed),
            keeping: [kind.type: kind == .motion ? false : 0]
        )
        #expect(owner.start() == [])
        return owner
    }

    @Test(arguments: BinarySensor.Kind.allCases)
    func aSensorStaysInactiveByItself(kind: BinarySensor.Kind) {
        var sensor = Self.sensor(kind)
        #expect(sensor.device.nextDeadline == nil)
        #expect(sensor.advance(by: .seconds(86_400)) == [])
    }

    @Test(arguments: BinarySensor.Kind.allCases)
    func aSensedValueIsSet(kind: BinarySensor.Kind) {
        var sensor = Self.sensor(kind)
        let found: CharacteristicValue = kind == .motion ? true : 1
        #expect(
            sensor.perform(.applySensorInput(BehaviorChange(kind.type, true))) == [BehaviorChange(kind.type, found)]
        )
        #expect(sensor.perform(.applySensorInput(BehaviorChange(kind.type, found))) == [])
        #expect(sensor.device.nextDeadline == nil)
        #expect(sensor.perform(.applySensorInput(BehaviorChange(kind.type, 0)))?.count == 1)
    }

    @Test func aSensedValueClearsAfterItsTime() {
        var sensor = Self.sensor(.motion, .init(resetDelay: .seconds(30)))
        _ = sensor.perform(.applySensorInput(BehaviorChange(.motionDetected, true)))
        #expect(sensor.advance(by: .seconds(29)) == [])
        // Another detection restarts the time.
        #expect(sensor.perform(.applySensorInput(BehaviorChange(.motionDetected, true))) == [])
        #expect(sensor.advance(by: .seconds(29)) == [])
        #expect(sensor.advance(by: .seconds(1)) == [BehaviorChange(.motionDetected, false)])
        #expect(sensor.device.nextDeadline == nil)
    }

    @Test func aLatchedDetectionHoldsUntilCleared() {
        var owner = BehaviorOwner(BinarySensor(.leak, .init(resetDelay: .seconds(5))), keeping: [.leakDetected: 1])
        #expect(owner.start() == [])
        #expect(owner.advance(by: .seconds(5)) == [BehaviorChange(.leakDetected, 0)])
    }

    @Test func aSensorWithoutAValueIsInactive() {
        var sensor = BinarySensor(.motion)
        #expect(sensor.start(with: [:], at: .zero) == [BehaviorChange(.motionDetected, false)])
    }

    @Test func aRegularPatternTriggersAtTheStartOfEachSpanButTheFirst() {
        var sensor = Self.sensor(
            .contact,
            .init(pattern: .regular, interval: .seconds(60), activeDuration: .seconds(10))
        )
        #expect(Self.events(&sensor, for: .seconds(200)) == ["60:1", "70:0", "120:1", "130:0", "180:1", "190:0"])
    }

    @Test func aRandomPatternTriggersOnceInEachSpan() {
        let configuration = BinarySensor.Configuration(
            pattern: .random,
            interval: .seconds(60),
            activeDuration: .seconds(10)
        )
        var sensor = Self.sensor(.occupancy, configuration, seed: 5)
        let events = Self.events(&sensor, for: .seconds(6_000))
        #expect(events.count == 200)
        for number in 0..<100 {
            let begin = Double(events[2 * number].split(separator: ":")[0]) ?? -1
            let end = Double(events[2 * number + 1].split(separator: ":")[0]) ?? -1
            #expect(Double(number) * 60 <= begin && end <= Double(number + 1) * 60)
            #expect(abs(end - begin - 10) < 1e-6)
        }
        var same = Self.sensor(.occupancy, configuration, seed: 5)
        #expect(Self.events(&same, for: .seconds(6_000)) == events)
        var other = Self.sensor(.occupancy, configuration, seed: 6)
        #expect(Self.events(&other, for: .seconds(6_000)) != events)
    }

    @Test func aSensedValueHoldsUntilThePatternChangesIt() {
        var sensor = Self.sensor(.smoke, .init(pattern: .regular, interval: .seconds(60), activeDuration: .seconds(10)))
        _ = sensor.advance(by: .seconds(30))
        _ = sensor.perform(.applySensorInput(BehaviorChange(.smokeDetected, 1)))
        #expect(Self.events(&sensor, for: .seconds(40)) == ["70:0"])
        _ = sensor.perform(.applySensorInput(BehaviorChange(.smokeDetected, 1)))
        _ = sensor.perform(.applySensorInput(BehaviorChange(.smokeDetected, 0)))
        #expect(Self.events(&sensor, for: .seconds(70)) == ["120:1", "130:0"])
    }

    @Test(arguments: [
        BehaviorCommand.stop, .press(.single), .applySensorInput(BehaviorChange(.statusActive, true)),
        .applySensorInput(BehaviorChange(.occupancyDetected, 7)),
        .applySensorInput(BehaviorChange(.occupancyDetected, "1")),
    ])
    func otherCommandsAreRefused(command: BehaviorCommand) {
        var sensor = Self.sensor()
        #expect(sensor.perform(command) == nil)
    }

    @Test func controllersCannotWriteDetections() {
        var sensor = Self.sensor()
        #expect(sensor.write(.occupancyDetected, 1).refusals == [.occupancyDetected: .readOnly])
        #expect(sensor.write(.name, "Hall").refusals.isEmpty)
    }

    /// Returns the changes within a time, each as second and value.
    private static func events(_ sensor: inout Sensor, for duration: Duration) -> [String] {
        let end = sensor.now.advanced(by: duration)
        var events: [String] = []
        while let deadline = sensor.device.nextDeadline, deadline <= end {
            let changes = sensor.advance(by: sensor.now.duration(to: deadline))
            for change in changes {
                let seconds = Double(deadline.nanoseconds) / 1e9
                let time = seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
                events.append("\(time):\(change.value)")
            }
        }
        _ = sensor.advance(by: sensor.now.duration(to: end))
        return events
    }
}
