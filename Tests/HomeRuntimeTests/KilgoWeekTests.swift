import AccessoryFiles
import AccessoryModel
import ControllerTestSupport
import Discovery
import Foundation
import HAPController
import HAPCore
import HAPServer
import HomeModel
import HomeRuntime
import HostTestSupport
import Hosting
import TestSupport
import Testing

@Suite("The Kilgo home")
struct KilgoWeekTests {
    private static let files = [
        "garage", "lock", "thermostat", "color-light", "outlet", "color-temperature-light", "dimmable-light",
    ]

    private static var homeFile: [UInt8] {
        get throws {
            let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            return Array(try Data(contentsOf: root.appending(path: "Config/home.yaml")))
        }
    }

    /// The results of a week.
    private struct Week: Equatable {
        var journal: [String] = []
        var values: [CharacteristicReferenceValue] = []
    }

    private struct CharacteristicReferenceValue: Equatable {
        var place: String
        var value: CharacteristicValue?
    }

    /// Serves the garage and the six other accessories with paused clocks, and runs a week.
    private func week() async throws -> Week {
        let host = AccessoryHost(testing: .testing)
        var servers: [AccessoryServer] = []
        let controller = try await Controller.open(
            store: InMemoryControllerStore(),
            configuration: .patient,
            resolver: nil
        )
        let outcome: Result<Week, any Error>
        do {
            for name in Self.files {
                let tap = ServerEventForwarder()
                let server = try await Self.start(GalleryFile(name: name), tap)
                servers.append(server)
                await host.insert(server, named: server.configuration.name, tap)
            }
            outcome = .success(
                try await Self.play(on: InProcessBackend(host, startingAt: BackendFixture.noon), servers, controller)
            )
        } catch {
            outcome = .failure(error)
        }
        await controller.close()
        for server in servers {
            await server.stop()
        }
        return try outcome.get()
    }

    private static func start(_ file: GalleryFile, _ tap: ServerEventForwarder) async throws -> AccessoryServer {
        let document = try AccessoryFile.read(file.bytes, name: file.path, include: GalleryFile.includedFile).document
        var configuration = ServerConfiguration(
            name: document.name,
            category: document.category,
            bindAddress: "127.0.0.1",
            setupCode: Fixture.setupCode
        )
        configuration.behaviorClock.pause(at: .zero)
        return try await AccessoryServer.start(
            configuration,
            accessories: document.makeAccessories(isSimulated: true),
            ports: ServerPorts(store: InMemoryStore(), advertiser: NoOpAdvertiser(), observer: tap)
        )
    }

    private static func play(
        on backend: InProcessBackend,
        _ servers: [AccessoryServer],
        _ controller: Controller
    ) async throws -> Week {
        let document = try HomeFile.read(homeFile, name: "Config/home.yaml")
        let merge = HomeMerge(document, into: Homes(), known: KnownAccessory.all(of: await backend.servers()))
        #expect(merge.errors.isEmpty && merge.missing.isEmpty && merge.pending.isEmpty)
        let home = try #require(merge.homes.primaryHome)
        let recorder = Recorder()
        let runner = HomeRunner(
            home,
            on: backend,
            clock: InProcessClock(backend),
            startedAt: BackendFixture.noon,
            observer: recorder
        )
        await runner.beginStepping(in: backend)
        for server in servers {
            let port = await server.information.port
            let target = AccessoryTarget.address(host: "127.0.0.1", port: port)
            let name = server.configuration.name
            _ = try await controller.pair(target, with: .code(Fixture.setupCode), as: name)
        }
        let garage = try await controller.accessory("Kilgo Garage")
        let door = try #require(home.reference(of: home.selector("Garage Door", .targetDoorState))?.id)
        let mood = try await controller.accessory("Mood Light")
        let moodSwitch = try #require(home.reference(of: home.selector("Mood Light", .on))?.id)
        let ada = try home.user(named: "Ada").id
        for day in 0..<7 {
            func at(_ hour: Int, _ minute: Int) async {
                let seconds = day * 86_400 + (hour - 12) * 3_600 + minute * 60
                await runner.advance(to: BackendFixture.noon.advanced(by: .seconds(seconds)), in: backend)
            }
            // The user comes home from work after dark, and leaves in the morning.
            await at(17, 30)
            _ = try await garage.write([CharacteristicWrite(door, 0)])
            await at(17, 32)
            _ = try await garage.write([CharacteristicWrite(door, 1)])
            await runner.setPresence(true, of: ada, in: backend)
            if day == 3 {
                _ = try await mood.write([CharacteristicWrite(moodSwitch, false)])
            }
            await at(32, 10)
            await runner.setPresence(false, of: ada, in: backend)
            await at(36, 0)
        }
        let calendar = FoundationCalendar(of: home)
        var week = Week(
            journal: recorder.journal.map { "\($0.instant) \($0.text(in: home, by: calendar))" }
        )
        for (service, _) in home.visibleServices {
            for characteristic in service.characteristics {
                let selector = CharacteristicSelector(service: service.id, type: characteristic.type)
                guard let reference = home.reference(of: selector) else { continue }
                week.values.append(
                    CharacteristicReferenceValue(
                        place: "\(service.name)/\(characteristic.name)",
                        value: await backend.read([reference])[reference]
                    )
                )
            }
        }
        return week
    }

    @Test("is served, paired and run for a simulated week, with the same journal each time")
    func theSameWeekTwiceGivesTheSameJournal() async throws {
        let first = try await week()
        let second = try await week()
        #expect(first == second)
        #expect(first.journal.count { $0.contains("Light the Garage ran:") } == 7)
        #expect(first.journal.count { $0.contains("Light the Garage ended:") } == 7)
        // The mood light stays on until it is switched off on the fourth evening.
        #expect(first.journal.count { $0.contains("Night did not run") } == 3)
        #expect(first.journal.count { $0.contains("Night ran:") } == 4)
        #expect(first.journal.count { $0.contains("Wake Up ran:") } == 5)
        #expect(first.journal.count { $0.contains("House Empty ran:") } == 7)
        #expect(first.values.contains { $0.value != nil })
    }
}
