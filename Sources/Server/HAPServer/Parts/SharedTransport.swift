internal import NIOCore

/// The state that the channels of all connections share.
struct SharedTransport: Sendable {
    /// Sends the messages of several connections together.
    let batch: NIOLoopBound<SendBatch>
    /// The byte limits that all connections share, for unfinished requests and for unsent messages.
    let budgets: NIOLoopBound<(clear: ByteBudget, session: ByteBudget, unsent: ByteBudget)>

    init(_ limits: ConnectionLimits, on eventLoop: any EventLoop) {
        batch = NIOLoopBound(SendBatch(eventLoop: eventLoop), eventLoop: eventLoop)
        budgets = NIOLoopBound(
            (
                clear: ByteBudget(limit: limits.unfinishedBytes),
                session: ByteBudget(limit: limits.sessionUnfinishedBytes),
                unsent: ByteBudget(limit: limits.unsentBytes)
            ),
            eventLoop: eventLoop
        )
    }

    /// Sends the messages of all connections so far, before a long computation.
    func sendBatch() {
        batch.value.send()
    }
}
