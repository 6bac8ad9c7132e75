package import AccessoryModel
internal import AsyncPrimitives
internal import HAPController
internal import HAPCore
package import HAPServer
package import HomeModel

/// A server of this process, as homes and scenarios run on it.
package struct ServedServer: Sendable {
    package let server: AccessoryServer
    /// What people call it: the key of what it serves.
    package let name: String
    /// Forwards what happens in the server.
    package let events: ServerEventForwarder

    /// Takes a server that was started with a forwarder as its observer.
    package init(_ server: AccessoryServer, name: String, events: ServerEventForwarder) {
        self.server = server
        self.name = name
        self.events = events
    }
}

/// The accessories that servers of this process serve, without a network between.
///
/// The home's time is that of the behaviours: it begins with an instant, and goes as their clock does.
package struct ServedWorld: HomeWorld {
    package let mailbox = WorldMailbox()
    let members: [(id: DeviceID, member: ServedServer)]
    private let byID: [DeviceID: ServedServer]
    /// What the behaviours' clock showed at `start`.
    let origin: MonotonicInstant
    let start: WallInstant

    /// - Parameter start: What time it is now.
    package init(_ members: [ServedServer], startingAt start: WallInstant) async {
        var known: [(id: DeviceID, member: ServedServer)] = []
        for member in members {
            await known.append((member.server.information.deviceID, member))
        }
        self.members = known
        byID = Dictionary(known.map { ($0.id, $0.member) }) { first, _ in first }
        origin = await members.first?.server.behaviorTime ?? .zero
        self.start = start
    }

    package func servers() async -> [WorldServer] {
        var servers: [WorldServer] = []
        for (id, member) in members {
            let accessories = RemoteAccessory.all(in: await member.server.attributes)
                .map { WorldServer.Accessory(aid: $0.aid, announced: $0.announced()) }
            servers.append(WorldServer(id: id, alias: member.name, accessories: accessories))
        }
        return servers
    }

    package func write(_ request: ServerWrites) async -> [ActionResult.Outcome] {
        guard let member = byID[request.server] else {
            let outcome = ActionResult.Outcome.unreachable("\(request.server) is not served here.")
            return Array(repeating: outcome, count: request.writes.count)
        }
        return await member.server.write(request.writes).map { ActionResult.Outcome($0) }
    }

    package func read(
        _ references: [CharacteristicReference]
    ) async -> [CharacteristicReference: CharacteristicValue] {
        var values: [CharacteristicReference: CharacteristicValue] = [:]
        for reference in references {
            values[reference] = await byID[reference.accessory.server]?.server.value(of: reference.id)
        }
        return values
    }

    package func watch(_ references: Set<CharacteristicReference>) async {
        await beginToWatch(references)
        defer { endWatching() }
        await AsyncSignal.waitForCancellation()
    }

    /// Tells the present values, and what changes from then on.
    func beginToWatch(_ references: Set<CharacteristicReference>) async {
        let wanted = Dictionary(grouping: references, by: \.accessory.server)
        for (id, member) in members {
            guard let ids = wanted[id]?.map(\.id).sorted() else { continue }
            await member.server.forward(member.events, ids, of: id, to: mailbox)
        }
    }

    /// Tells nothing any more.
    func endWatching() {
        for (_, member) in members {
            member.events.forward(to: mailbox, nil)
        }
    }
}

extension AccessoryServer {
    /// Tells the present values, and what changes from then on.
    ///
    /// In one call: a change between the two would be told before the value that was there before it.
    fileprivate func forward(
        _ events: ServerEventForwarder,
        _ ids: [CharacteristicID],
        of server: DeviceID,
        to mailbox: WorldMailbox
    ) {
        let wanted = Set(ids)
        events.forward(to: mailbox) { fact in
            switch fact {
            case .valueChanged(let id, _, let value, by: _) where wanted.contains(id):
                mailbox.send(.value(.init(id, of: server), value))
            case .configurationChanged: mailbox.send(.structureChanged(server))
            default: break
            }
        }
        mailbox.send(.reachable(server))
        for id in ids {
            if let value = value(of: id) {
                mailbox.send(.value(.init(id, of: server), value))
            }
        }
    }
}
