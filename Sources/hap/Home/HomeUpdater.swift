import HAPController
import HAPCore
import HomeModel
import HomeRuntime

/// Takes the accessories of servers over into the kept home while it runs, as they are announced by then.
struct HomeUpdater {
    let home: ObjectID<Home>
    let library: HomeLibrary
    let controller: Controller
    let log: HomeLog
    /// Is told of each edit.
    let noticeEdit: @Sendable () -> Void

    /// Looks at each server when it is found, at first or again, and whenever it says that it has changed.
    func run(_ servers: AsyncStream<HomeNews>) async {
        for await news in servers {
            switch news {
            case .reachable(let server), .structureChanged(let server): await update(server)
            case .journal, .ran, .value, .written, .unreachable: break
            }
        }
        await Task.waitForCancellation()
    }

    /// Takes over what a server has; one that does not answer is asked when it is found again.
    private func update(_ id: DeviceID) async {
        let pairings = (try? await controller.pairings()) ?? []
        let alias = pairings.first { $0.deviceID == id }?.alias ?? id.description
        let server = await NetworkWorld(controller).server(id, alias: alias)
        // Nothing at all is no structure.
        guard server.failure == nil, !server.accessories.isEmpty else { return }
        do throws(CommandFailure) {
            let takeover = try await library.edit { homes throws(HomeError) in
                try homes.edit(home) { home throws(HomeError) in try home.takeOver(server) }
            }
            if !takeover.isEmpty {
                noticeEdit()
            }
            for consequence in takeover.consequences {
                await log.say(consequence.description)
            }
        } catch {
            await log.say("What \(alias) has now is not taken over: \(error.message)")
        }
    }
}

extension Task where Success == Never, Failure == Never {
    /// Waits until the task is cancelled: whoever is first in a group ends all the others.
    static func waitForCancellation() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(3_600))
        }
    }
}
