package import HAPCore
package import HAPServer

/// A message between a driver and one of its peers, as it is shown to users.
package struct DriverMessage: Sendable {
    package enum Direction: Sendable {
        case received
        case sent
    }

    package enum Body: Sendable {
        case json(JSONValue)
        case text(String)
        /// A message that is not shown, with its number of bytes.
        case hidden(Int)
    }

    package let direction: Direction
    /// The number of the peer in this run of the driver.
    package let peer: UInt64
    /// Who has sent it, in the words of the protocol.
    package let source: String
    /// For whom it is, in the words of the protocol.
    package let destination: String
    /// What it is about, such as a namespace or a path.
    package let path: String
    package let body: Body

    package init(
        _ direction: Direction,
        peer: UInt64,
        from source: String,
        to destination: String,
        path: String,
        _ body: Body
    ) {
        (self.direction, self.peer, self.path, self.body) = (direction, peer, path, body)
        (self.source, self.destination) = (source, destination)
    }
}

/// Receives the messages of a server's drivers, for a trace.
package protocol DriverTrafficObserver: Sendable {
    /// The switch that is on while messages are wanted.
    var isWanted: TrafficSwitch { get }

    /// Receives a message, and returns quickly.
    ///
    /// - Parameters:
    ///   - accessory: The key of the driver's accessory.
    ///   - size: About how many bytes the message has.
    func observe(_ message: DriverMessage, of accessory: String, size: Int)
}
