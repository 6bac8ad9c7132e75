internal import HAPCore

extension AccessoryChannelHandler {
    /// The largest answer or event that may be composed now, in bytes: the rest of the shared budget, but at least one part
    /// of a long message.
    package var availableBytes: Int {
        max(LongMessage.partSize, unsentBudget.available)
    }

    /// Counts what is held of messages that have not left.
    func countUnsentBytes(_ count: Int) {
        _ = unsentBudget.exchange(&countedBytes.unsent, for: count)
    }

    /// Counts what has arrived of requests: many unfinished ones together may not take the memory that one of them may.
    func countReceivedBytes() {
        let count = wire.codec.receivedByteCount
        guard count > ByteBudget.uncounted || countedBytes.received > 0 else { return }
        if !receiveBudget.exchange(&countedBytes.received, for: count) {
            close(.fault(ProtocolError(.tooLarge, "all requests under way are too large together", at: "connection")))
        }
    }

    /// Counts nothing any more of what has arrived.
    func forgetReceivedBytes() {
        _ = receiveBudget.exchange(&countedBytes.received, for: 0)
    }

    private var receiveBudget: ByteBudget {
        isSecure ? receiveBudgets.session : receiveBudgets.clear
    }
}
