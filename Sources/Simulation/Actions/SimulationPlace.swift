package import HAPCore

/// A characteristic of one of several servers.
package struct SimulationPlace: Sendable, Hashable {
    /// The server's place among the servers, from 0.
    package var server: Int
    /// The characteristic in it.
    package var id: CharacteristicID

    /// Creates a place.
    package init(server: Int, _ id: CharacteristicID) {
        self.server = server
        self.id = id
    }
}
