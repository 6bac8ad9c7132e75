internal import HAPCore

extension AccessoryChannelHandler {
    /// The largest answer or event that may be composed now, in bytes: the rest of the shared budget, but at least one part
    /// of a long message.
    package var availableBytes: Int {
        max(LongMessage.partSize, unsentBudget.available)
    }

    /// Counts what is held of messages that have not left.
    func countUnsentBytes(_ count: Int) {
        _ = unsentBudget.update(&countedBytes.unsent, to: count)
    }

    /// Counts what has arrived of requests: many unfinished ones together may not take the memory that one of them may.
    func countReceivedBytes() {
        let count = bufferedCodec.codec.receivedByteCount
        guard count > ByteBudget.uncountedBytes || countedBytes.received > 0 else { return }
        if !receiveBudget.update(&countedBytes.received, to: count) {
            close(
                .protocolError(
                    ProtocolError(.tooLarge, "all requests under way are too large together", at: "connection")
                )
            )
        }
    }

    /// Counts nothing any more of what has arrived.
    func resetReceivedBytes() {
        _ = receiveBudget.update(&countedBytes.received, to: 0)
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
    package static let uncountedBytes = 8 << 10

    private let limit: Int
    /// How many bytes are held.
    package private(set) var usedBytes = 0

    package init(limit: Int) {
        self.limit = limit
    }

    /// How many more bytes may be held.
    package var available: Int {
        max(0, limit - usedBytes)
    }

    /// Replaces the bytes counted for one connection; returns `false` when the total then exceeds the limit.
    func update(_ before: inout Int, to count: Int) -> Bool {
        let counted = count > Self.uncountedBytes ? count : 0
        usedBytes += counted - before
        before = counted
        return counted == 0 || usedBytes <= limit
    }
}
