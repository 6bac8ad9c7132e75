internal import HAPTransport
internal import NIOCore

/// What the channels of all connections share.
struct SharedTransport: Sendable {
    /// Sends the messages of several connections together.
    let batch: NIOLoopBound<SendBatch>
    /// How much all connections together may hold of unfinished requests, and of answers that have not left.
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

    /// Sends what the connections have composed so far, before something that takes long.
    func sendBatch() {
        batch.value.send()
    }
}
