import AccessoryModel
import HomeModel
import HomeRuntime
import Synchronization

/// A backend that forwards to another one and counts the requests.
final class CountingBackend: HomeBackend {
    private let backend: any HomeBackend
    private let written = Mutex<[ServerWriteRequest]>([])
    private let watches = Mutex(0)

    init(_ backend: any HomeBackend) {
        self.backend = backend
    }

    /// The write requests so far.
    var requests: [ServerWriteRequest] {
        written.withLock { $0 }
    }

    /// The number of calls that started an observation.
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
