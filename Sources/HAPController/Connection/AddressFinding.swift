package import Discovery
package import HAPCore

/// Finds accessories in the network.
///
/// Ends when the calling task is cancelled.
package protocol AddressFinding: Sendable {
    /// Where an accessory says it is at present; empty when nobody announces it.
    func places(of deviceID: DeviceID) async throws(ControllerError) -> [AccessoryPlace]

    /// The accessory whose announced setup hash matches a setup ID, `nil` when none does.
    ///
    /// HAP: §3
    func deviceID(matching setupID: SetupID) async throws(ControllerError) -> DeviceID?

    /// The addresses of a name that ends in `.local`, which the system's own resolver may not know; empty when nobody
    /// is called so.
    func addresses(ofHost host: String) async throws(ControllerError) -> [String]

    /// What an accessory announces, now and whenever it changes: a slow reader is given the latest. `nil` while nothing
    /// can be heard. Ends with the reader's task.
    func announcements(of deviceID: DeviceID) -> AsyncStream<DiscoveredAccessory?>
}

extension AddressFinding {
    /// None: the name is left to the system.
    package func addresses(ofHost host: String) async throws(ControllerError) -> [String] {
        []
    }

    /// Hears nothing.
    package func announcements(of deviceID: DeviceID) -> AsyncStream<DiscoveredAccessory?> {
        AsyncStream { $0.finish() }
    }
}
