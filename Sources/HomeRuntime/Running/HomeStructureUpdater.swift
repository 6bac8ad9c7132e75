internal import AccessoryModel
package import HAPController
internal import HAPCore
package import HomeModel

/// Takes over the accessories of a controller's servers into the stored home while it runs, as the servers announce them by
/// then.
package struct HomeStructureUpdater: HomeRunObserver {
    private let home: ObjectID<Home>
    private let store: HomeStateStore
    private let controller: Controller
    private let report: @Sendable (String) async -> Void
    private let servers: AsyncStream<DeviceID>
    private let queue: AsyncStream<DeviceID>.Continuation

    /// - Parameter report: Receives sentences about what has changed in the home, or why it has not.
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
        (servers, queue) = AsyncStream.makeStream()
    }

    package func observe(_ news: HomeEvent, in home: Home, at instant: WallInstant) {
        switch news {
        case .reachable(let server), .structureChanged(let server): queue.yield(server)
        case .journal, .ran, .value, .accepted, .unreachable: break
        }
    }

    /// Asks each server when it is found, at first or again, and whenever it reports that it has changed, until the task
    /// is cancelled.
    ///
    /// - Parameter onEdit: Called after each change of the home.
    package func run(onEdit: @Sendable () -> Void) async {
        for await server in servers {
            await update(server, onEdit)
        }
    }

    /// Takes over what a server has; one that does not answer is asked when it is found again.
    private func update(_ id: DeviceID, _ noticeEdit: @Sendable () -> Void) async {
        let pairings = (try? await controller.pairings()) ?? []
        let alias = pairings.first { $0.deviceID == id }?.alias ?? id.description
        let server = await NetworkBackend(controller).server(id, alias: alias)
        // Nothing at all is no structure.
        guard server.failure == nil, !server.accessories.isEmpty else { return }
        do throws(HomeStoreError) {
            let takeover = try await store.update { homes throws(HomeError) in
                try homes.edit(home) { home throws(HomeError) in try home.importServer(server) }
            }
            if !takeover.isEmpty {
                noticeEdit()
            }
            for consequence in takeover.effects {
                await report(consequence.description)
            }
        } catch {
            await report("What \(alias) has now is not taken over: \(error.description.escapingControlCharacters)")
        }
    }
}
