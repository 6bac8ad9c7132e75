import AccessoryModel
import ControllerTestSupport
import Discovery
import Documents
import HAPController
import HAPCore
import HAPServer
import HomeModel
import HomeRuntime
import HostTestSupport
import Hosting
import Simulation
import TestSupport
import Testing

@Suite("A home whose clock is advanced in steps")
struct SteppedHomeTests {
    /// Serves the garage with a paused clock, and operates it over the network for a number of days.
    private func journal(days: Int) async throws -> ([JournalEntry], values: [CharacteristicValue?]) {
        let tap = ServerEventForwarder()
        var configuration = ServerConfiguration(
            name: KilgoGarage.name,
            category: KilgoGarage.category,
            bindAddress: "127.0.0.1",
            setupCode: Fixture.setupCode
        )
        configuration.behaviorClock.pause(at: .zero)
        let server = try await AccessoryServer.start(
            configuration,
            accessories: [KilgoGarage.accessory()],
            ports: ServerPorts(store: InMemoryStore(), advertiser: NoOpAdvertiser(), observer: tap)
        )
        let controller = try await Controller.open(
            store: InMemoryControllerStore(),
            configuration: .patient,
            resolver: nil
        )
        let outcome: Result<([JournalEntry], values: [CharacteristicValue?]), any Error>
        do {
            outcome = .success(try await drive(server, controller, tap, days: days))
        } catch {
            outcome = .failure(error)
        }
        await controller.close()
        await server.stop()
        return try outcome.get()
    }

    private func drive(
        _ server: AccessoryServer,
        _ controller: Controller,
        _ tap: ServerEventForwarder,
        days: Int
    ) async throws -> ([JournalEntry], values: [CharacteristicValue?]) {
        let backend = await InProcessBackend(
            AccessoryHost.hosting((server, "garage", tap)),
            startingAt: BackendFixture.noon
        )
        let place = GeographicPlace(latitude: 50.11, longitude: 8.68)
        var home = Home(id: ObjectID(1), name: try ObjectName("House"), timeZone: "Europe/Berlin")
        home.setPlace(place)
        for server in await backend.servers() {
            try home.addAccessories(of: server)
        }
        let door = try home.selector("Garage Door", .currentDoorState)
        try home.automate(
            "Light the garage",
            when: .characteristic(door, .equals(2)),
            if: .time(from: .sun(.sunset, offset: .zero), to: .sun(.sunrise, offset: .zero)),
            [home.action("Garage Light", .on, true)],
            end: EndEvent<HomeIDs>(
                .whenThenAfter(door, .equals(1), .seconds(300)),
                .actions([home.action("Garage Light", .on, false)])
            )
        )
        try home.automate(
            "Close at night",
            when: .timeOfDay(try #require(CivilTime("23:00")), .daily),
            [home.action("Garage Door", .targetDoorState, 1)]
        )
        let recorder = Recorder()
        let runner = HomeRunner(
            home,
            on: backend,
            clock: InProcessClock(backend),
            startedAt: BackendFixture.noon,
            observer: recorder
        )
        await runner.beginStepping(in: backend)

        let port = await server.information.port
        let garage = try await controller.pair(
            .address(host: "127.0.0.1", port: port),
            with: .code(Fixture.setupCode),
            as: "garage"
        )
        let target = try #require(home.reference(of: home.selector("Garage Door", .targetDoorState))?.id)
        let light = try #require(home.reference(of: home.selector("Garage Light", .on))?.id)
        var values: [CharacteristicValue?] = []
        for day in 0..<days {
            let noon = BackendFixture.noon.advanced(by: .seconds(day * 86_400))
            // The door is opened at noon and at 20:00, and is closed by hand only at noon.
            _ = try await garage.write([CharacteristicWrite(target, 0)])
            await runner.advance(to: noon.advanced(by: .seconds(60)), in: backend)
            values.append(await server.value(of: light))
            _ = try await garage.write([CharacteristicWrite(target, 1)])
            await runner.advance(to: noon.advanced(by: .seconds(8 * 3_600)), in: backend)
            _ = try await garage.write([CharacteristicWrite(target, 0)])
            await runner.advance(to: noon.advanced(by: .seconds(8 * 3_600 + 60)), in: backend)
            values.append(await server.value(of: light))
            await runner.advance(to: noon.advanced(by: .seconds(86_400)), in: backend)
            values.append(await server.value(of: light))
        }
        return (recorder.journal, values)
    }

    @Test("runs a simulated week in seconds, with the same journal each time")
    func steppingTwiceGivesTheSameJournal() async throws {
        let first = try await journal(days: 7)
        let second = try await journal(days: 7)
        #expect(first.0 == second.0)
        #expect(first.values == second.values)
        // The light is on only in the evening, when it is dark, and off again after the door was closed at night.
        #expect(first.values == Array(repeating: [false, true, false], count: 7).flatMap { $0 })
        let runs = first.0.count { if case .ran = $0.event { true } else { false } }
        let ends = first.0.count { if case .ended = $0.event { true } else { false } }
        #expect(runs == 14)
        #expect(ends == 7)
    }
}
