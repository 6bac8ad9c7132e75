import Discovery
import HAPController
import HAPCore

/// The functions that most resolvers of tests do not need.
extension EndpointResolver {
    /// Returns no addresses, so that the system's resolver is used.
    func addresses(ofHost host: String) async throws(ControllerError) -> [String] {
        []
    }

    /// Returns a stream without announcements.
    func announcements(of deviceID: DeviceID) -> AsyncStream<DiscoveredAccessory?> {
        AsyncStream { $0.finish() }
    }
}
