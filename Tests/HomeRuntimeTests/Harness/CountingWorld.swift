import AccessoryModel
import HomeModel
import HomeRuntime
import Synchronization

/// Another world, with its requests counted.
final class CountingWorld: HomeWorld {
    private let world: any HomeWorld
    private let written = Mutex<[ServerWrites]>([])
    private let watches = Mutex(0)

    init(_ world: any HomeWorld) {
        self.world = world
    }

    /// The requests so far.
    var requests: [ServerWrites] {
        written.withLock { $0 }
    }

    /// How often it was told to watch.
    var watchCount: Int {
        watches.withLock { $0 }
    }

    var mailbox: WorldMailbox { world.mailbox }

    func servers() async -> [WorldServer] {
        await world.servers()
    }

    func write(_ request: ServerWrites) async -> [ActionResult.Outcome] {
        written.withLock { $0.append(request) }
        return await world.write(request)
    }

    func read(
        _ references: [CharacteristicReference]
    ) async -> [CharacteristicReference: CharacteristicValue] {
        await world.read(references)
    }

    func watch(_ references: Set<CharacteristicReference>) async {
        watches.withLock { $0 += 1 }
        await world.watch(references)
    }
}
