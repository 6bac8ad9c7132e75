import Discovery
import Synchronization

/// The states that an advertiser reported, in order.
final class StateLog: Sendable {
    private let log = Mutex<[AdvertiserState]>([])

    var states: [AdvertiserState] {
        log.withLock { $0 }
    }

    func append(_ state: AdvertiserState) {
        log.withLock { $0.append(state) }
    }
}
