internal import AccessoryModel
internal import AsyncPrimitives
package import HAPController
internal import HAPCore
package import HomeModel

/// An updater that imports structure changes of the controller's accessories into the stored home while it runs.
package struct HomeStructureUpdater: HomeRunObserver {
    private let home: ObjectID<Home>
    private let store: HomeStateStore
    private let controller: Controller
    private let report: @Sendable (String) async -> Void
    private let servers = Mailbox(PendingServers())

    /// Creates an updater.
    ///
    /// - Parameters:
    ///   - home: The home to update.
    ///   - store: The store of the home.
    ///   - controller: The controller that is paired with the accessories.
    ///   - report: Receives sentences about changes of the home, and about failures to change it.
    package init(
        _ home: ObjectID<Home>,
        in store: HomeStateStore,
        controller: Controller,
        report: @escaping @Sendable (String) async -> Void
    ) {
        self.home = home
        self.store = store
        self.controller = controller
        self.report = report
    }

    package func observe(_ news: HomeEvent, in home: Home, at instant: WallInstant) {
        switch news {
        case .reachable(let server), .structureChanged(let server): servers.send(server)
        case .journal, .ran, .value, .accepted, .unreachable, .edited: break
        }
    }

    /// Updates the home until the task is canceled.
    ///
    /// Each server is queried when it becomes reachable, and whenever it reports a change.
    ///
    /// - Parameter onEdit: Called after each change of the home.
    package func run(onEdit: @Sendable () -> Void) async {
        while let server = await servers.next() {
            await update(server, onEdit)
        }
    }

    /// Imports the structure of a server.
    ///
    /// A server that does not answer is queried again when it becomes reachable.
    private func update(_ id: DeviceID, _ noticeEdit: @Sendable () -> Void) async {
        let pairings = (try? await controller.pairings()) ?? []
        let alias = pairings.first { $0.deviceID == id }?.alias ?? id.description
        let server = await NetworkBackend(controller).server(id, alias: alias)
        // An empty list of accessories is not a valid structure.
        guard server.failure == nil, !server.accessories.isEmpty else { return }
        do throws(HomeStoreError) {
            let takeover = try await store.update { homes throws(HomeError) in
                try homes.edit(home) { home throws(HomeError) in
                    // It may have been removed from the home in the meantime.
                    guard home.accessories.contains(where: { $0.reference?.server == id }) else {
                        return ServerImport()
                    }
                    return try home.importServer(server)
                }
            }
            if !takeover.isEmpty {
                noticeEdit()
            }
            for consequence in takeover.effects {
                await report(consequence.description)
            }
        } catch {
            let reason = error.description.escapingControlCharacters
            await report("The changed services of \(alias) are not in the home: \(reason)")
        }
    }
}

/// The servers whose structure is to be imported, in order.
///
/// Each of them waits once, however often it reports a change, so there are at most as many as the home has.
struct PendingServers: MailboxBuffer {
    private var ids: [DeviceID] = []

    mutating func enqueue(_ id: DeviceID) -> Bool {
        guard !ids.contains(id) else { return false }
        ids.append(id)
        return true
    }

    mutating func dequeue() -> DeviceID? {
        ids.isEmpty ? nil : ids.removeFirst()
    }
}
