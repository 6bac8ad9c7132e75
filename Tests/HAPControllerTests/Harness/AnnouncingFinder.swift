import Discovery
import HAPController
import HAPCore
import Synchronization

/// A resolver that announces one accessory on a test's command; every listener receives the latest announcement.
final class AnnouncingFinder: EndpointResolver {
    private struct State {
        var latest: DiscoveredAccessory?
        var listeners: [AsyncStream<DiscoveredAccessory?>.Continuation] = []
    }

    private let state = Mutex(State())

    /// Announces the accessory on the loopback interface.
    func announce(port: UInt16, configurationNumber: Int) {
        let accessory = DiscoveredAccessory(
            name: "Lamp",
            host: "lamp.local",
            addresses: ["127.0.0.1"],
            port: port,
            text: ["c#": String(configurationNumber)]
        )
        let listeners = state.withLock { state in
            state.latest = accessory
            return state.listeners
        }
        for listener in listeners {
            listener.yield(accessory)
        }
    }

    func endpoints(of deviceID: DeviceID) async throws(ControllerError) -> [AccessoryEndpoint] {
        []
    }

    func deviceID(matching setupID: SetupID) async throws(ControllerError) -> DeviceID? {
        nil
    }

    func announcements(of deviceID: DeviceID) -> AsyncStream<DiscoveredAccessory?> {
        let (stream, listener) = AsyncStream.makeStream(
            of: DiscoveredAccessory?.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let latest = state.withLock { state in
            state.listeners.append(listener)
            return state.latest
        }
        if let latest {
            listener.yield(latest)
        }
        return stream
    }
}
