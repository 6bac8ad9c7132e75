import AccessoryModel
import HomeModel
import HomeRuntime
import Synchronization

/// Another world, with its requests counted.
final class CountingBackend: HomeBackend {
    private let backend: any HomeBackend
    private let written = Mutex<[ServerWriteRequest]>([])
    private let watches = Mutex(0)

    init(_ backend: any HomeBackend) {
        self.backend = backend
    }

    /// The requests so far.
    var requests: [ServerWriteRequest] {
        written.withLock { $0 }
    }

    /// How often it was told to watch.
    var watchCount: Int {
        watches.withLock { $0 }
    }

    var mailbox: BackendMailbox { backend.mailbox }

    func servers() async -> [BackendServer] {
        await backend.servers()
    }

    func write(_ request: ServerWriteRequest) async -> [ActionResult.Outcome] {
        written.withLock { $0.append(request) }
        return await backend.write(request)
    }

    func read(
        _ references: [CharacteristicReference]
    ) async -> [CharacteristicReference: CharacteristicValue] {
        await backend.read(references)
    }

    func observe(_ references: Set<CharacteristicReference>) async {
        watches.withLock { $0 += 1 }
        await backend.observe(references)
    }
}
