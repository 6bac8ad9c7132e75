import AccessoryModel
import HAPCore
import TestSupport

@testable import HAPServer

extension TestServer {
    /// Serves what a program declares while `body` runs, to the controllers of these pairings.
    static func run(
        _ accessory: HAPAccessory,
        pairings: [Pairing] = [Fixture.pairing],
        body: (TestServer) async throws -> Void
    ) async throws {
        let (store, journal) = (InMemoryStore.withIdentity(PairingTable(pairings: pairings)), Journal())
        let ports = ServerPorts(store: store, advertiser: RecordingAdvertiser(journal: journal), observer: journal)
        let configuration = ServerConfiguration(
            name: accessory.name,
            category: accessory.category,
            bindAddress: "127.0.0.1"
        )
        let server = try await AccessoryServer.start(configuration, accessory.declaration(), ports: ports)
        do {
            try await body(TestServer(server: server, store: store, journal: journal))
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }
}
