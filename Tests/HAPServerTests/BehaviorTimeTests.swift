import AccessoryModel
import HAPCore
import HAPServer
import Simulation
import TestSupport
import Testing

/// The time of simulated devices inside a server.
@Suite struct BehaviorTimeTests {
    private static let garage = KilgoGarage.accessory()

    @Test func timeJumpProcessesEventsInOrder() async throws {
        try await TestServer.run([Self.garage]) { server in
            let current = try await server.id(.currentDoorState, of: .garageDoorOpener, in: Self.garage.key)
            let target = try await server.id(.targetDoorState, of: .garageDoorOpener, in: Self.garage.key)
            let before = await server.server.behaviorTime
            await server.server.changeBehaviorClock { clock, now in clock.pause(at: now) }
            #expect(await server.server.write([CharacteristicWrite(target, 0)]) == [.success])
            #expect(await server.server.value(of: current) == 2)
            let deadline = try #require(await server.server.nextBehaviorDeadline)
            #expect(before.duration(to: deadline) >= .seconds(12))
            await server.server.changeBehaviorClock { clock, now in
                clock.jump(to: clock.time(at: now).advanced(by: .seconds(11)), at: now)
            }
            #expect(await server.server.value(of: current) == 2)
            await server.server.changeBehaviorClock { clock, now in
                clock.jump(to: clock.time(at: now).advanced(by: .seconds(2)), at: now)
            }
            #expect(await server.server.value(of: current) == 0)
            #expect(await server.server.nextBehaviorDeadline == nil)

            // The observer learns the time of each event before the event.
            let end = await server.server.behaviorTime
            let order = server.journal.events.filter { event in
                [
                    .behaviorTimeChanged(deadline, scale: 0), .behaviorTimeChanged(end, scale: 0),
                    .valueChanged(current, .currentDoorState, 0, by: .device),
                ]
                .contains(event)
            }
            #expect(
                order == [
                    .behaviorTimeChanged(deadline, scale: 0), .valueChanged(current, .currentDoorState, 0, by: .device),
                    .behaviorTimeChanged(end, scale: 0),
                ]
            )
        }
    }

    @Test func aFastClockMovesTheDoorWithoutAJump() async throws {
        try await TestServer.run([Self.garage]) { server in
            let current = try await server.id(.currentDoorState, of: .garageDoorOpener, in: Self.garage.key)
            let target = try await server.id(.targetDoorState, of: .garageDoorOpener, in: Self.garage.key)
            await server.server.changeBehaviorClock { clock, now in clock.setScale(10_000, at: now) }
            #expect(await server.server.write([CharacteristicWrite(target, 0)]) == [.success])
            try await server.journal.waitForEvent { $0 == .valueChanged(current, .currentDoorState, 0, by: .device) }
        }
    }

    @Test func alwaysDueBehaviorDoesNotBlockTime() async throws {
        var accessory = TestAccessory.accessory()
        accessory.services[2].behavior = AlwaysDueBehavior()
        try await TestServer.run([accessory]) { server in
            await server.server.changeBehaviorClock { clock, now in
                clock.jump(to: clock.time(at: now).advanced(by: .seconds(3_600)), at: now)
            }
            let lamp = try await server.lamp
            #expect(await server.server.value(of: lamp) == false)
        }
    }

    /// A behavior whose next deadline is always the same instant.
    private struct AlwaysDueBehavior: Behavior {
        mutating func start(
            with values: [CharacteristicType: CharacteristicValue],
            of types: [CharacteristicType],
            at now: MonotonicInstant
        ) -> [BehaviorChange] {
            nextDeadline = now.advanced(by: .seconds(1_000))
            return []
        }

        mutating func write(_ writes: [BehaviorChange], at now: MonotonicInstant) -> BehaviorResponse {
            BehaviorResponse()
        }

        var nextDeadline: MonotonicInstant?

        mutating func advance(to now: MonotonicInstant) -> [BehaviorChange] {
            []
        }
    }
}
