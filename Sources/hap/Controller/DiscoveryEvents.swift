import Discovery
import Dispatch
import HAPCore
import Synchronization

/// What a browser tells, until its time is up.
///
/// Nothing is fetched before it is asked for: what is not read yet waits in the browser, one update for each accessory.
final class DiscoveryEvents: Sendable {
    private struct State {
        var reading: Task<DiscoveryUpdate?, Never>?
        var hasEnded = false
    }

    private let source: AsyncStream<DiscoveryUpdate>
    private let state = Mutex(State())

    init(_ source: AsyncStream<DiscoveryUpdate>) {
        self.source = source
    }

    convenience init(_ browser: AccessoryBrowser) {
        self.init(browser.updates())
    }

    /// For one reader.
    var updates: AsyncStream<DiscoveryUpdate> {
        AsyncStream { await self.next() }
    }

    /// Ends the updates after this time, or earlier if that was said before.
    func finish(after time: Duration) {
        DispatchQueue.global()
            .asyncAfter(deadline: .now() + .nanoseconds(Int(time.clampedNanoseconds))) { [weak self] in
                self?.finish()
            }
    }

    private func finish() {
        state.withLock { state in
            state.hasEnded = true
            return state.reading
        }?
        .cancel()
    }

    private func next() async -> DiscoveryUpdate? {
        let reading = state.withLock { state -> Task<DiscoveryUpdate?, Never>? in
            guard !state.hasEnded else { return nil }
            state.reading = Task { [source] in
                for await update in source {
                    return update
                }
                return nil
            }
            return state.reading
        }
        return await withTaskCancellationHandler {
            await reading?.value
        } onCancel: {
            reading?.cancel()
        }
    }
}
