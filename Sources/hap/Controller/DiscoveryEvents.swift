import Discovery
import Dispatch
import HAPCore

/// What a browser tells, until its time is up.
final class DiscoveryEvents: Sendable {
    let updates: AsyncStream<DiscoveryUpdate>
    private let continuation: AsyncStream<DiscoveryUpdate>.Continuation
    private let task: Task<Void, Never>

    init(_ browser: AccessoryBrowser) {
        let (updates, continuation) = AsyncStream.makeStream(of: DiscoveryUpdate.self)
        let source = browser.updates()
        self.updates = updates
        self.continuation = continuation
        task = Task {
            for await update in source {
                continuation.yield(update)
            }
        }
    }

    deinit {
        task.cancel()
    }

    /// Ends the updates after this time, or earlier if that was said before.
    func end(after time: Duration) {
        DispatchQueue.global()
            .asyncAfter(deadline: .now() + .nanoseconds(Int(time.clampedNanoseconds))) { [continuation, task] in
                task.cancel()
                continuation.finish()
            }
    }
}
