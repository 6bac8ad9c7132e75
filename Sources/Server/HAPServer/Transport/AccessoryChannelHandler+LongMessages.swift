internal import NIOCore

extension AccessoryChannelHandler {
    /// Sends the content of `plaintext` in several turns of the event loop.
    ///
    /// Meanwhile, no request is handled and no event is sent.
    func sendInParts(then next: ((AccessoryChannelHandler) -> Void)?) {
        var message: [UInt8] = []
        swap(&message, &plaintext)
        longMessage = LongMessage(message, then: next)
        countUnsentBytes(message.count)
        sendNextPart()
    }

    /// Encrypts the rest of a message at once.
    func encodeLongMessage() {
        guard let part = longMessage?.nextPart(of: .max) else { return }
        encode(part)
        let next = finishLongMessage()
        sendOutput { handler in
            next?(handler)
            // Runs in a separate task, because the caller has yet to encode the next message, which must follow this
            // one.
            handler.context?.eventLoop.assumeIsolated().execute { handler.resumeDelivery() }
        }
    }

    /// Discards the rest of a message.
    func cancelLongMessage() {
        finishLongMessage()?(self)
    }

    private func sendNextPart() {
        guard let part = longMessage?.nextPart() else {
            guard longMessage != nil else { return }
            let next = finishLongMessage()
            next?(self)
            resumeDelivery()
            return
        }
        encode(part)
        let message = longMessage
        sendOutput { handler in
            // In the meantime, another long message may have replaced this one.
            guard let message, handler.longMessage === message else { return }
            message.isWaitingForTurn = true
            handler.delegate.didYield(handler)
        }
    }

    /// Sends the next part of a long message, if it waits for the connection's turn.
    func sendWaitingPart() {
        guard let longMessage, longMessage.isWaitingForTurn else { return }
        longMessage.isWaitingForTurn = false
        sendNextPart()
    }

    private func encode(_ part: ArraySlice<UInt8>) {
        part.withUnsafeBytes { _ = bufferedCodec.encode($0) }
    }

    private func finishLongMessage() -> ((AccessoryChannelHandler) -> Void)? {
        guard let message = longMessage else { return nil }
        longMessage = nil
        countUnsentBytes(0)
        return message.completion
    }
}

/// A message that is encrypted part by part, each after the previous one was sent.
final class LongMessage {
    /// The number of bytes that are encrypted in one turn of the event loop.
    ///
    /// It is a multiple of the frame size, so that the frames are the same as without parts.
    static let partSize = 256 << 10

    /// Whether the next part waits until other connections have had their turn.
    var isWaitingForTurn = false

    private let bytes: [UInt8]
    private var position = 0
    /// Called when the whole message was sent or cannot be sent.
    let completion: ((AccessoryChannelHandler) -> Void)?

    init(_ bytes: [UInt8], then next: ((AccessoryChannelHandler) -> Void)?) {
        self.bytes = bytes
        self.completion = next
    }

    /// Returns the next part; `nil` at the end.
    func nextPart(of size: Int = partSize) -> ArraySlice<UInt8>? {
        guard position < bytes.count else { return nil }
        let start = position
        position = bytes.count - start > size ? start + size : bytes.count
        return bytes[start..<position]
    }
}
