internal import AsyncPrimitives
internal import Dispatch
internal import HAPCore

extension DiscoveryExecutor {
    /// Asks on the queue, and waits for the answer no longer than this.
    ///
    /// Avahi's library blocks for 25 seconds when the bus or the daemon hangs; the queue is left to itself then.
    ///
    /// - Parameter late: The answer when the time is up.
    func answer<Answer: Sendable>(
        within time: Duration,
        ask: @escaping @Sendable (OneShot<Result<Answer, DiscoveryError>>) -> Void,
        late: @escaping @Sendable () -> Result<Answer, DiscoveryError>
    ) async throws(DiscoveryError) -> Answer {
        let end = OneShot<Result<Answer, DiscoveryError>>()
        run { ask(end) }
        // Elsewhere, since the conversation's own thread may be what hangs.
        DispatchQueue.global()
            .asyncAfter(deadline: .now() + .nanoseconds(Int(time.clampedNanoseconds))) {
                end.set(late())
            }
        return try await end.wait().get()
    }
}
