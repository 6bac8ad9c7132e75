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

/// How many bytes several connections may hold together: of unfinished requests, or of answers that have not left.
///
/// Belongs to one event loop and never leaves it.
package final class ByteBudget {
    /// What a connection may hold of unfinished requests without being counted, in bytes: more than any request of a
    /// pairing.
    package static let uncounted = 8 << 10

    private let limit: Int
    /// How many bytes are held.
    package private(set) var held = 0

    package init(limit: Int) {
        self.limit = limit
    }

    /// How many more bytes may be held.
    package var available: Int {
        max(0, limit - held)
    }

    /// Replaces the bytes counted for one connection; returns `false` when the total then exceeds the limit.
    func exchange(_ before: inout Int, for count: Int) -> Bool {
        let counted = count > Self.uncounted ? count : 0
        held += counted - before
        before = counted
        return counted == 0 || held <= limit
    }
}
