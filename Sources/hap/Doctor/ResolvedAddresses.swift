import Dispatch
import Synchronization

/// Where a look-up leaves what it found, for as long as somebody waits.
final class ResolvedAddresses: Sendable {
    private let found = Mutex<[String]?>(nil)
    private let semaphore = DispatchSemaphore(value: 0)

    func put(_ addresses: [String]) {
        found.withLock { $0 = addresses }
        semaphore.signal()
    }

    func wait(seconds: Int) -> [String]? {
        _ = semaphore.wait(timeout: .now() + .seconds(seconds))
        return found.withLock { $0 }
    }
}
