package import Discovery
import Synchronization

/// An advertiser that only notes what it was asked, for the tests of those who use one.
package final class RecordingAdvertiser: Advertiser {
    /// What it was asked, in order.
    package enum Call: Sendable, Hashable {
        case start(ServiceRecord)
        case update(ServiceRecord)
        case stop
    }

    private struct Record {
        var calls: [Call] = []
        var onState: (@Sendable (AdvertiserState) -> Void)?
    }

    private let record = Mutex(Record())
    private let outcome: AdvertiserState

    /// Creates one whose first outcome is known.
    package init(outcome: AdvertiserState = .advertised(name: "Recorded", wished: "Recorded")) {
        self.outcome = outcome
    }

    /// What it was asked so far.
    package var calls: [Call] {
        record.withLock { $0.calls }
    }

    /// Plays a change of state.
    package func report(_ state: AdvertiserState) {
        record.withLock { $0.onState }?(state)
    }

    package func start(_ record: ServiceRecord, onState: @escaping @Sendable (AdvertiserState) -> Void) {
        self.record.withLock {
            $0.calls.append(.start(record))
            $0.onState = onState
        }
    }

    package func update(_ record: ServiceRecord) {
        self.record.withLock { $0.calls.append(.update(record)) }
    }

    package func firstOutcome() async -> AdvertiserState {
        outcome
    }

    package func stop() async {
        record.withLock { $0.calls.append(.stop) }
    }
}
