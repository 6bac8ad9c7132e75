internal import Synchronization

/// The updates of a browser, until a time limit.
///
/// An update is fetched only when it is requested. Unread updates wait in the browser, one for each accessory.
package final class DiscoveryEvents: Sendable {
    private struct State {
        var reading: Task<DiscoveryUpdate?, Never>?
        var hasEnded = false
    }

    private let source: AsyncStream<DiscoveryUpdate>
    private let state = Mutex(State())

    /// Creates a time-limited view of a stream, such as that of ``AccessoryBrowser/updates()``.
    package init(_ source: AsyncStream<DiscoveryUpdate>) {
        self.source = source
    }

    /// The updates, for a single reader.
    package var updates: AsyncStream<DiscoveryUpdate> {
        AsyncStream { await self.next() }
    }

    /// Ends the updates after this time.
    ///
    /// An earlier end that was already scheduled stays in effect.
    package func finish(after time: Duration) {
        Task { [weak self] in
            try? await Task.sleep(for: time)
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
