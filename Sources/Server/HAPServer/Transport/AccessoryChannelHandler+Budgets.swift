internal import HAPCore

extension AccessoryChannelHandler {
    /// The maximum size of a response or event that may be encoded now, in bytes.
    ///
    /// It is the rest of the shared budget, but at least the size of one part of a long message.
    var availableBytes: Int {
        max(LongMessage.partSize, unsentBudget.available)
    }

    /// Sets the number of unsent bytes of this connection.
    func countUnsentBytes(_ count: Int) {
        _ = unsentBudget.update(&countedBytes.unsent, to: count)
    }

    /// Counts the received bytes of the unfinished request, because many unfinished requests together would use too
    /// much memory.
    func countReceivedBytes() {
        let count = bufferedCodec.codec.receivedByteCount
        guard count > ByteBudget.uncountedBytes || countedBytes.received > 0 else { return }
        if !receiveBudget.update(&countedBytes.received, to: count) {
            close(
                .protocolViolation(
                    ProtocolError(.tooLarge, "all requests under way are too large together", at: "connection")
                )
            )
        }
    }

    /// Stops counting the received bytes.
    func resetReceivedBytes() {
        _ = receiveBudget.update(&countedBytes.received, to: 0)
    }

    private var receiveBudget: ByteBudget {
        isSecure ? receiveBudgets.session : receiveBudgets.clear
    }
}

/// A limit for the bytes of unfinished requests, or of unsent messages, that all connections hold together.
///
/// It belongs to one event loop and never leaves it.
package final class ByteBudget {
    /// The number of bytes up to which a connection is not counted.
    ///
    /// It is larger than any pairing request.
    package static let uncountedBytes = 8 << 10

    private let limit: Int
    /// The number of bytes in use.
    private(set) var usedBytes = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// The number of bytes that are still available.
    var available: Int {
        max(0, limit - usedBytes)
    }

    /// Replaces the number of bytes of one connection; returns `false` if the connection is counted and the total
    /// exceeds the limit.
    func update(_ before: inout Int, to count: Int) -> Bool {
        let counted = count > Self.uncountedBytes ? count : 0
        usedBytes += counted - before
        before = counted
        return counted == 0 || usedBytes <= limit
    }
}
