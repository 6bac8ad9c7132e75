import AccessoryModel
import AsyncPrimitives
import ControllerTestSupport
import HAPCore
import TestSupport
import Testing

@testable import HAPController

@Suite("Announcements of an accessory")
struct AnnouncementTests {
    private let on = CharacteristicID(aid: .primary, iid: InstanceID(9) ?? .accessoryInformation)

    /// A configuration that waits long enough for announcements, and for responses at the old endpoint, on a busy
    /// machine.
    private static let patientConfiguration: ControllerConfiguration = {
        var configuration = ControllerConfiguration.quick
        configuration.firstAnnouncementTime = .seconds(60)
        configuration.announcementCheckTime = .seconds(60)
        return configuration
    }()

    /// Opens a controller that has stored the accessory with its current endpoint.
    private func withPaired(
        _ accessory: ScriptedAccessory,
        _ announcer: AnnouncingFinder,
        configuration: ControllerConfiguration = patientConfiguration,
        cached number: UInt64? = nil,
        body: (PairedAccessory, InMemoryControllerStore) async throws -> Void
    ) async throws {
        let store = InMemoryControllerStore(identity: Fixture.controller, pairings: [accessory.storedPairing])
        if let number {
            let cached = CachedDatabase(configurationNumber: number, body: Array(Script.lamp.utf8))
            try await store.save(cached, of: accessory.storedPairing.pairing)
        }
        let controller = try await Controller.open(store: store, configuration: configuration, resolver: announcer)
        do {
            try await body(try await controller.accessory("Lamp"), store)
        } catch {
            await controller.close()
            throw error
        }
        await controller.close()
    }

    private func databaseReads(_ accessory: ScriptedAccessory) -> Int {
        accessory.journal.requests.count { $0.endpoint == .accessories }
    }

    @Test("After an announcement with another number, the database is read again and watches continue")
    func risenNumberRereadsTheDatabaseAndKeepsWatches() async throws {
        let reads = Counter()
        let other = Script.lamp.replacing(#""format":"bool""#, with: #""format":"uint8""#)
        let script = Script.responding(to: .accessories) { response in
            reads.next() == 1
                ? [.message(response.bytes)] : [.message(HTTPResponse.json(.ok, Array(other.utf8)).bytes)]
        }
        let announcer = AnnouncingFinder()
        try await ScriptedAccessory.serve(script) { accessory in
            announcer.announce(port: accessory.port, configurationNumber: 5)
            try await withPaired(accessory, announcer) { paired, store in
                var changes = await paired.changes(of: [on]).makeAsyncIterator()
                #expect(try await changes.next() == .connected)
                #expect(try await changes.next() == .value(on, true))
                announcer.announce(port: accessory.port, configurationNumber: 6)
                #expect(try await changes.next() == .databaseChanged)
                accessory.journal.perform(.message(HTTPEvent.bytes(iid: 9, value: "7")))
                #expect(try await changes.next() == .value(on, 7))
                #expect(accessory.journal.sessionCount == 1)
                try await eventually("the database is stored with its number") {
                    try await store.database(of: accessory.storedPairing.pairing)?.configurationNumber == 6
                }
            }
        }
    }

    @Test("A moved accessory is watched at its new endpoint")
    func movedAccessoryIsWatchedAtItsNewEndpoint() async throws {
        let isSilent = OneShot<Void>()
        var script = Script()
        script.respond = { _, response in isSilent.isSet ? [] : [.message(response.bytes)] }
        let announcer = AnnouncingFinder()
        var configuration = Self.patientConfiguration
        configuration.announcementCheckTime = .milliseconds(200)
        try await ScriptedAccessory.serve(script) { former in
            try await ScriptedAccessory.serve(Script()) { present in
                announcer.announce(port: former.port, configurationNumber: 5)
                try await withPaired(former, announcer, configuration: configuration) { paired, store in
                    var changes = await paired.changes(of: [on]).makeAsyncIterator()
                    #expect(try await changes.next() == .connected)
                    #expect(try await changes.next() == .value(on, true))
                    isSilent.set()
                    announcer.announce(port: present.port, configurationNumber: 5)
                    guard case .disconnected(let error) = try await changes.next() else {
                        Issue.record("the end of the session was not reported")
                        return
                    }
                    #expect(error.code == .timedOut)
                    #expect(try await changes.next() == .connected)
                    #expect(present.journal.sessionCount == 1)
                    #expect(try await store.pairings().map(\.port) == [present.port])
                }
            }
        }
    }

    @Test("An accessory that still responds keeps its session although another endpoint is announced")
    func forgedEndpointKeepsTheSession() async throws {
        let announcer = AnnouncingFinder()
        try await ScriptedAccessory.serve(Script()) { accessory in
            announcer.announce(port: accessory.port, configurationNumber: 5)
            try await withPaired(accessory, announcer) { paired, _ in
                var changes = await paired.changes(of: [on]).makeAsyncIterator()
                #expect(try await changes.next() == .connected)
                #expect(try await changes.next() == .value(on, true))
                let asked = accessory.journal.requests.count
                announcer.announce(port: 1, configurationNumber: 5)
                try await eventually("the session is checked") { accessory.journal.requests.count == asked + 1 }
                accessory.journal.perform(.message(HTTPEvent.bytes(iid: 9, value: "0")))
                #expect(try await changes.next() == .value(on, false))
                #expect(accessory.journal.sessionCount == 1)
            }
        }
    }

    @Test("A stored database is used only if its number is announced", arguments: [5, 6])
    func storedDatabaseIsUsedOnlyWithItsNumber(_ announced: Int) async throws {
        let announcer = AnnouncingFinder()
        try await ScriptedAccessory.serve(Script()) { accessory in
            announcer.announce(port: accessory.port, configurationNumber: announced)
            try await withPaired(accessory, announcer, cached: 5) { paired, store in
                let accessories = try await paired.accessories()
                #expect(accessories.count == 1)
                #expect(try await paired.read([on]).map(\.value) == [true])
                #expect(databaseReads(accessory) == (announced == 5 ? 0 : 1))
                #expect(
                    try await store.database(of: accessory.storedPairing.pairing)?.configurationNumber
                        == UInt64(announced)
                )
            }
        }
    }

    @Test("Without an announcement, the database is read once per session even if one is stored")
    func unannouncedDatabaseIsReadOncePerSession() async throws {
        try await ScriptedAccessory.serve(Script()) { accessory in
            var configuration = ControllerConfiguration.quick
            configuration.firstAnnouncementTime = .milliseconds(1)
            try await withPaired(accessory, AnnouncingFinder(), configuration: configuration, cached: 5) { paired, _ in
                _ = try await paired.accessories()
                #expect(try await paired.read([on]).map(\.value) == [true])
                #expect(databaseReads(accessory) == 1)
            }
        }
    }

    @Test("Listening for announcements ends once there is neither a session nor a watch")
    func listeningEndsWithoutSessionOrWatch() async throws {
        let announcer = AnnouncingFinder()
        try await ScriptedAccessory.serve(Script()) { accessory in
            announcer.announce(port: accessory.port, configurationNumber: 5)
            try await withPaired(accessory, announcer) { paired, _ in
                #expect(try await paired.read([on]).map(\.value) == [true])
                #expect(await paired.announcements.listener != nil)
                accessory.journal.perform(.close)
                try await eventually("listening has ended") { await paired.announcements.listener == nil }
            }
        }
    }
}
