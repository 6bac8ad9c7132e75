package import HAPCore

/// A simulated device with peers of its own, such as a media receiver with its senders.
///
/// It is on the clock of its server, like every behavior. A driver decodes the messages of its peers, and sends those for
/// them.
package protocol ConnectedBehavior: Behavior {
    /// Takes over the peers of the device that it replaces, before it starts; does nothing if they are of another kind.
    mutating func adopt(_ former: any ConnectedBehavior)

    /// Handles what a peer does, and returns the values that change.
    mutating func receive(_ event: PeerEvent, at now: MonotonicInstant) -> [BehaviorChange]

    /// Returns what the device does to others since the last call, in its order.
    mutating func takeEffects() -> [DeviceEffect]
}

extension ConnectedBehavior {
    package mutating func adopt(_ former: any ConnectedBehavior) {}
}

/// What a simulated device does to others.
package enum DeviceEffect: Sendable {
    /// It sends a message to a peer.
    case send(PeerMessage)
    /// It reports something for the log, the page and scenarios.
    case report(DriverEvent)
    /// It changes a value of the accessory's services of this type, as a key of the device does.
    case operate(ServiceType, BehaviorChange)
}

/// A peer of a device, during one connection.
package struct PeerID: Sendable, Hashable {
    package let rawValue: UInt64

    package init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

/// What a peer of a device does.
package enum PeerEvent: Sendable {
    case joined(PeerID)
    case left(PeerID)
    /// It sends a message, of a type that the driver and its device know.
    case message(any Sendable, from: PeerID)
}

/// A message of a device for one of its peers.
package struct PeerMessage: Sendable {
    package let peer: PeerID
    /// The message, of a type that the driver and its device know.
    package let content: any Sendable

    package init(_ content: any Sendable, to peer: PeerID) {
        (self.content, self.peer) = (content, peer)
    }
}
