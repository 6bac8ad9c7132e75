import AccessoryModel
import AsyncPrimitives
import HomeModel
import HomeRuntime
import Synchronization

/// A backend that forwards to another one and counts the requests.
final class CountingBackend: HomeBackend {
    private let backend: any HomeBackend
    private let written = Mutex<[ServerWriteRequest]>([])
    private let watches = Mutex(0)
    /// While it is not set, writes wait for it.
    private let release = Mutex<OneShot<Void>?>(nil)

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

    /// Lets writes wait, like an accessory that does not answer, until the returned value is set.
    func hold() -> OneShot<Void> {
        let release = OneShot<Void>()
        self.release.withLock { $0 = release }
        return release
    }

    func write(_ request: ServerWriteRequest) async -> [ActionResult.Outcome] {
        await release.withLock(\.self)?.wait()
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
