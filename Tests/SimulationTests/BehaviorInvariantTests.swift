import AccessoryModel
import HAPCore
import TestSupport
import Testing

@testable import Simulation

/// Long random runs, each with its own seed, that check the invariants of behaviors.
struct BehaviorInvariantTests {
    private typealias Door = BehaviorOwner<GarageDoor>
    private typealias Light = BehaviorOwner<DimmableLight>

    /// A time after which every device has come to rest.
    private static let longEnough = Duration.seconds(3_600)

    static let doors: [(seed: UInt64, GarageDoor.Configuration)] = [
        (1, .init()),
        (2, .init(obstructionDuration: .seconds(7))),
        (3, .init(travel: .milliseconds(1_234), lockTravel: .milliseconds(777), obstructionDuration: .zero)),
        (4, .init(travel: .nanoseconds(7), lockTravel: .nanoseconds(3), obstructionDuration: .nanoseconds(5))),
        (5, .init(travel: .zero, lockTravel: .zero)),
    ]

    @Test(arguments: doors)
    func aDoorIsConsistentAfterAnyInput(seed: UInt64, configuration: GarageDoor.Configuration) {
        var generator = SeededRandom(seed: seed)
        var door = Door.door(configuration)
        for step in 0..<20_000 {
            if generator.next() % 4 == 0 {
                let pause = Self.pause(upTo: configuration.travel, using: &generator)
                door.sleep(pause)
            } else {
                _ = door.advance(by: Self.pause(upTo: configuration.travel, using: &generator))
            }
            let wasSecured = Self.isSecured(door)
            guard let input = DoorInput.allCases.randomElement(using: &generator) else { return }
            let outcome = door.take(input)
            let isRefused = outcome == "-70412"
            guard isRefused == (input == .open && wasSecured) else {
                Issue.record("step \(step): \(input) gave \(outcome) with the lock \(wasSecured)")
                return
            }
            _ = isRefused ? door.advance() : []
            guard let fault = Self.violation(of: door, configuration) else { continue }
            Issue.record("step \(step), \(input): \(fault), \(door)")
            return
        }
    }

    @Test(arguments: doors)
    func oneJumpEndsWhereManyStepsEnd(seed: UInt64, configuration: GarageDoor.Configuration) {
        var generator = SeededRandom(seed: seed)
        var door = Door.door(configuration)
        for step in 0..<2_000 {
            if let input = DoorInput.allCases.randomElement(using: &generator) {
                _ = door.take(input)
            }
            let steps = (0..<8).map { _ in Self.pause(upTo: configuration.travel, using: &generator) }
            var jumping = door
            _ = jumping.advance(by: steps.reduce(.zero, +))
            for pause in steps {
                _ = door.advance(by: pause)
            }
            guard jumping.values == door.values, jumping.device.nextDeadline == door.device.nextDeadline,
                jumping.device.readings(at: door.now) == door.device.readings(at: door.now)
            else {
                Issue.record("step \(step): \(jumping) is not \(door)")
                return
            }
        }
    }

    @Test func theSameCallsGiveTheSameResults() {
        func responses() -> [String] {
            var generator = SeededRandom(seed: 42)
            var door = Door.door(.init(obstructionDuration: .seconds(3)))
            return (0..<2_000)
                .map { _ in
                    let late = door.advance(by: Self.pause(upTo: .seconds(12), using: &generator)).notation
                    return late + (DoorInput.allCases.randomElement(using: &generator).map { door.take($0) } ?? "")
                }
        }
        #expect(responses() == responses())
    }

    @Test(arguments: [11, 12, 13] as [UInt64])
    func aLampIsConsistentAfterAnyWrite(seed: UInt64) {
        var generator = SeededRandom(seed: seed)
        var light = Light(
            DimmableLight(.init(fadeRate: KilgoGarage.fadeRate)),
            keeping: [.on: false, .brightness: 100]
        )
        _ = light.start()
        for step in 0..<10_000 {
            let pause = Self.pause(upTo: .seconds(3), using: &generator)
            let jumping = light.reading("output", in: pause)
            _ = light.advance(by: pause)
            let before = light.reading("output")
            let response = light.write(Self.lightWrites(using: &generator))

            let wanted = light.values[.on] == true ? light.values[.brightness]?.number?.double : 0
            let output = light.reading("output")
            let isFading = light.device.nextDeadline != nil
            guard response == BehaviorResponse(), jumping == before, 0...100 ~= output ?? -1,
                light.reading("output", in: Self.longEnough) == wanted, isFading == (output != wanted),
                !isFading || output == before
            else {
                Issue.record("step \(step): output \(String(describing: output)), \(light)")
                return
            }
        }
    }

    @Test(arguments: 100..<120 as Range<UInt64>)
    func noValueAndNoOrderOfInstantsTraps(seed: UInt64) {
        var generator = SeededRandom(seed: seed)
        var devices: [any Behavior] = [
            GarageDoor(
                .init(
                    travel: Self.hostileDuration(using: &generator),
                    lockTravel: Self.hostileDuration(using: &generator),
                    obstructionDuration: Self.hostileDuration(using: &generator)
                )
            ),
            DimmableLight(.init(fadeRate: KilgoGarage.fadeRate, fade: Self.hostileDuration(using: &generator))),
        ]
        for _ in 0..<500 {
            for index in devices.indices {
                let now = Self.hostileInstant(using: &generator)
                let writes = Self.hostileWrites(using: &generator)
                switch generator.next() % 4 {
                case 0:
                    let values = writes.map { ($0.type, $0.value) }
                    _ = devices[index].start(with: Dictionary(values) { $1 }, at: now)
                case 1: _ = devices[index].write(writes, at: now)
                case 2: _ = devices[index].advance(to: now)
                default:
                    let commands: [BehaviorCommand] = [.stop, .obstruct, .clearObstruction]
                    _ = commands.randomElement(using: &generator).map { devices[index].perform($0, at: now) }
                }
                let readings = devices[index].readings(at: Self.hostileInstant(using: &generator))
                #expect(readings.allSatisfy { 0...100 ~= $0.number ?? -1 })
            }
        }
        for index in devices.indices {
            _ = devices[index].advance(to: MonotonicInstant(nanoseconds: .max))
            #expect(devices[index].nextDeadline == nil)
        }
    }
}

// MARK: - What is always true

extension BehaviorInvariantTests {
    /// Returns whether Lock Current State is 1 at the owner's instant, even if a timer is late.
    private static func isSecured(_ door: BehaviorOwner<GarageDoor>) -> Bool {
        var punctual = door
        _ = punctual.advance()
        return punctual.lock == 1
    }

    /// Returns the violated invariant of a door, or `nil` if there is none.
    private static func violation(of door: BehaviorOwner<GarageDoor>, _ configuration: GarageDoor.Configuration)
        -> String?
    {
        guard let position = door.position, let bolt = door.bolt, let current = door.current, let target = door.target,
            let soon = door.reading("position", in: configuration.travel / 1_000 + .nanoseconds(1)),
            let boltLater = door.reading("bolt", in: longEnough), let later = door.reading("position", in: longEnough)
        else { return "something cannot be read" }
        guard 0...100 ~= position, 0...100 ~= bolt else { return "position \(position), bolt \(bolt)" }

        let isConsistent =
            switch current {
            case 0: position == 100 && soon == 100 && target == 0
            case 1: position == 0 && soon == 0 && target == 1
            case 2: position < 100 && soon > position && target == 0
            case 3: position > 0 && soon < position && target == 1
            case 4: soon == position
            default: false
            }
        guard isConsistent else { return "current \(current), target \(target), position \(position), soon \(soon)" }
        if current == 3, door.isObstructed == true { return "it closes on what is in its way" }
        if door.lock == 1, current != 1 || bolt == 0 { return "it is secured and not closed" }

        let willClear = door.isObstructed == true && configuration.obstructionDuration != nil
        let moves = position != later || bolt != boltLater || willClear
        if moves != (door.device.nextDeadline != nil) { return "deadline \(door.device.nextDeadline as Any)" }
        return nil
    }
}

// MARK: - Chance

extension BehaviorInvariantTests {
    private static func pause(upTo travel: Duration, using generator: inout SeededRandom) -> Duration {
        switch generator.next() % 4 {
        case 0: .zero
        case 1: .nanoseconds(Int64(generator.next() % 10))
        case 2: travel * 2
        default: travel * Int(generator.next() % 1_000) / 1_000
        }
    }

    private static func lightWrites(using generator: inout SeededRandom) -> [BehaviorChange] {
        [
            BehaviorChange(.on, .bool(Bool.random(using: &generator))),
            BehaviorChange(.brightness, .integer(generator.next() % 101)),
            BehaviorChange(KilgoGarage.fadeRate, .integer(generator.next() % 11)),
        ]
        .filter { _ in Bool.random(using: &generator) }.shuffled(using: &generator)
    }

    private static func hostileInstant(using generator: inout SeededRandom) -> MonotonicInstant {
        let edges: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
        let edge = edges.randomElement(using: &generator) ?? 0
        return MonotonicInstant(
            nanoseconds: Bool.random(using: &generator) ? edge : Int64(bitPattern: generator.next())
        )
    }

    private static func hostileDuration(using generator: inout SeededRandom) -> Duration {
        let edges: [Duration] = [
            .zero, .nanoseconds(1), .nanoseconds(-1), .seconds(12), .nanoseconds(Int64.max), .nanoseconds(Int64.min),
            .seconds(Int64.max), .seconds(Int64.min), .milliseconds(Int64(bitPattern: generator.next())),
        ]
        return edges.randomElement(using: &generator) ?? .zero
    }

    private static func hostileWrites(using generator: inout SeededRandom) -> [BehaviorChange] {
        let types: [CharacteristicType] = [
            .targetDoorState, .targetDoorState, .lockTargetState, .lockTargetState, .currentDoorState,
            .obstructionDetected, .lockCurrentState, .on, .on, .brightness, .brightness, .hue, KilgoGarage.fadeRate,
        ]
        let values: [CharacteristicValue] = [
            .bool(true), .bool(false), 0, 1, 2, 3, 4, 50, .integer(Int64.min), .integer(UInt64.max),
            .number(.real(.nan)), .number(.real(.infinity)), .number(.real(-.infinity)), .number(.real(1e308)),
            .number(.real(-0.0)), .number(.real(.leastNonzeroMagnitude)), .string(""), .string("1"), .data([]),
        ]
        return (0..<generator.next() % 4)
            .compactMap { _ in
                guard let type = types.randomElement(using: &generator),
                    let value = values.randomElement(using: &generator)
                else { return nil }
                return BehaviorChange(type, value)
            }
    }
}
