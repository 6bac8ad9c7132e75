package import AccessoryModel
internal import AsyncPrimitives
internal import HAPController
internal import HAPCore
package import HAPServer
package import HomeModel

/// The accessories that servers of this process serve, without a network between.
///
/// The home's time is that of the behaviours: it begins with an instant, and goes as their clock does.
package struct ServedWorld: HomeWorld {
    /// A server of this process.
    package struct Member: Sendable {
        let server: AccessoryServer
        let alias: String
        let tap: ServerTap

        /// - Parameter tap: An observer of the server, and of no other world.
        package init(_ server: AccessoryServer, alias: String, tap: ServerTap) {
            self.server = server
            self.alias = alias
            self.tap = tap
        }
    }

    package let mailbox = WorldMailbox()
    let members: [(id: DeviceID, member: Member)]
    private let byID: [DeviceID: Member]
    /// What the behaviours' clock showed at `start`.
    let origin: MonotonicInstant
    let start: WallInstant

    /// - Parameter start: What time it is now.
    package init(_ members: [Member], startingAt start: WallInstant) async {
        var known: [(id: DeviceID, member: Member)] = []
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
            servers.append(WorldServer(id: id, alias: member.alias, accessories: accessories))
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
        _ references: [HomeModel.CharacteristicReference]
    ) async -> [HomeModel.CharacteristicReference: CharacteristicValue] {
        var values: [HomeModel.CharacteristicReference: CharacteristicValue] = [:]
        for reference in references {
            values[reference] = await byID[reference.accessory.server]?.server.value(of: reference.id)
        }
        return values
    }

    package func watch(_ references: Set<HomeModel.CharacteristicReference>) async {
        await beginToWatch(references)
        defer { endWatching() }
        await AsyncSignal.waitForCancellation()
    }

    /// Tells the present values, and what changes from then on.
    func beginToWatch(_ references: Set<HomeModel.CharacteristicReference>) async {
        let wanted = Dictionary(grouping: references, by: \.accessory.server)
        for (id, member) in members {
            guard let ids = wanted[id]?.map(\.id).sorted() else { continue }
            await member.server.tell(member.tap, ids, of: id, to: mailbox)
        }
    }

    /// Tells nothing any more.
    func endWatching() {
        for (_, member) in members {
            member.tap.set(nil)
        }
    }
}

extension AccessoryServer {
    /// Tells the present values, and what changes from then on.
    ///
    /// In one call: a change between the two would be told before the value that was there before it.
    fileprivate func tell(
        _ tap: ServerTap,
        _ ids: [CharacteristicID],
        of server: DeviceID,
        to mailbox: WorldMailbox
    ) {
        tap.set(.init(server: server, mailbox: mailbox, ids: Set(ids)))
        mailbox.send(.reachable(server))
        for id in ids {
            if let value = value(of: id) {
                mailbox.send(.value(.init(id, of: server), value))
            }
        }
    }
}
