import AccessoryModel
import Discovery
import Glibc
import HAPCore
import HAPServer
import NIOCore
import NIOEmbedded
import Simulation
import TestSupport

/// A complete server without a socket, on its own loop.
struct BenchmarkServer {
    let loop = BenchmarkLoop()
    let server: AccessoryServer
    private let store: BenchmarkStore

    init(_ accessories: [Accessory]) throws {
        let loop = loop
        let store = BenchmarkStore(Fixture.identityRecord, Fixture.pairedTable, on: loop)
        self.store = store
        server = try loop.wait {
            try await AccessoryServer.start(
                ServerConfiguration(name: "Benchmark", category: KilgoGarage.category),
                accessories: accessories,
                ports: ServerPorts(
                    store: store,
                    advertiser: NoOpAdvertiser(),
                    observer: NoOpObserver()
                ),
                on: loop,
                listener: EmbeddedChannel(loop: loop.embedded)
            )
        }
    }

    /// Returns a controller with a session.
    func controller() throws -> BenchmarkController {
        try BenchmarkController(connectedTo: server, on: loop)
    }

    /// Waits until values were saved this many times.
    ///
    /// A save starts on one of Swift's threads, at an unpredictable time.
    func waitForSaves(_ count: Int) {
        while store.assumeIsolated({ $0.saves }) < count {
            loop.endTurn()
            sched_yield()
        }
    }

    /// Returns the id of the characteristic On of the garage's light.
    func light() throws -> CharacteristicID {
        let reference = CharacteristicKey(
            accessory: KilgoGarage.name,
            service: ServiceKey(.lightbulb),
            type: .on
        )
        guard let id = server.assumeIsolated({ $0.id(of: reference) }) else { throw BenchmarkFailure("no light") }
        return id
    }

    /// Returns a bridge with as many lamps as HAP allows.
    static func bridge() -> [Accessory] {
        let information = { (name: String) in
            Service.accessoryInformation(
                name: name,
                manufacturer: "Example Works",
                model: "B-1",
                serialNumber: name,
                firmware: "1.0.0"
            )
        }
        return [Accessory(key: "Bridge", services: [information("Bridge"), .protocolInformation()])]
            + (1..<AttributeDatabase.maximumAccessories)
            .map { number in
                Accessory(
                    key: "Lamp \(number)",
                    services: [
                        information("Lamp \(number)"),
                        Service(
                            .lightbulb,
                            characteristics: [
                                Characteristic(cataloged: .on, value: false),
                                Characteristic(cataloged: .brightness, value: 50),
                            ]
                        ),
                    ]
                )
            }
    }
}
