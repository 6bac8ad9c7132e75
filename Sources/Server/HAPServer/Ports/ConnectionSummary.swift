package import AccessoryModel
package import HAPCore

/// A connection of a server, as it is shown to users.
package struct ConnectionSummary: Sendable, Hashable {
    /// The connection.
    package let id: ConnectionID
    /// The address and the port of the peer.
    package let peer: String
    /// The verified controller, or `nil` if the connection is not a session.
    package let controller: ControllerIdentifier?
    /// Whether the controller may manage pairings.
    package let isAdmin: Bool
    /// The time since the last complete request, or since the connection was opened.
    package let idleTime: Duration
    /// The characteristics of whose changes the controller is notified, in the order of the database.
    package let subscriptions: [CharacteristicID]
}

extension AccessoryServer {
    /// The open connections, the oldest first.
    package var connectionSummaries: [ConnectionSummary] {
        connections.open.sorted { $0.id.rawValue < $1.id.rawValue }
            .map { connection in
                let subscriber = connection.id.subscriber
                return ConnectionSummary(
                    id: connection.id,
                    peer: connection.peer,
                    controller: connection.session?.controller,
                    isAdmin: connection.session?.isAdmin ?? false,
                    idleTime: connection.lastProgress.duration(to: now),
                    subscriptions: database.characteristics.indices
                        .filter { database.subscriptions.contains(subscriber, $0) }
                        .map { database.characteristics[$0].id }
                )
            }
    }

    /// The paired controllers, in the order in which they were added.
    package var pairings: [Pairing] { records.pairings.pairings }

    /// Identifies an accessory, like a controller that writes its Identify characteristic.
    ///
    /// Returns `false` if there is no such accessory.
    package func identify(_ aid: AccessoryID) async -> Bool {
        guard let index = database.index(of: .identify, in: aid) else { return false }
        return await write([CharacteristicWrite(database.characteristics[index].id, true)]).first == .success
    }
}
