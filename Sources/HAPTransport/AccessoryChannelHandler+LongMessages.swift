internal import NIOCore

extension AccessoryChannelHandler {
    /// Sends what is in `plaintext` in several turns of the event loop.
    ///
    /// Meanwhile no request is taken and no event sent.
    func sendInParts(then next: ((AccessoryChannelHandler) -> Void)?) {
        var message: [UInt8] = []
        swap(&message, &plaintext)
        longMessage = LongMessage(message, then: next)
        countUnsentBytes(message.count)
        sendNextPart()
    }

    /// Encodes at once what is left of a message.
    func encodeLongMessage() {
        guard let part = longMessage?.nextPart(of: .max) else { return }
        encode(part)
        let next = endLongMessage()
        sendOutput { handler in
            next?(handler)
            // In a turn of its own: the caller has not encoded yet what it sends behind the message.
            handler.context?.eventLoop.assumeIsolated().execute { handler.resumeAfterLongMessage() }
        }
    }

    /// Gives up what is left of a message.
    func dropLongMessage() {
        endLongMessage()?(self)
    }

    private func sendNextPart() {
        guard let part = longMessage?.nextPart() else {
            guard longMessage != nil else { return }
            let next = endLongMessage()
            next?(self)
            resumeAfterLongMessage()
            return
        }
        encode(part)
        let message = longMessage
        sendOutput { handler in
            // Another message may have begun in its place.
            guard let message, handler.longMessage === message else { return }
            message.waitsForTurn = true
            handler.delegate.yielded(handler)
        }
    }

    /// Sends the part of a long message that waits for the connection's turn.
    func sendPartThatWaits() {
        guard let longMessage, longMessage.waitsForTurn else { return }
        longMessage.waitsForTurn = false
        sendNextPart()
    }

    private func encode(_ part: ArraySlice<UInt8>) {
        part.withUnsafeBytes { _ = wire.encode($0) }
    }

    private func endLongMessage() -> ((AccessoryChannelHandler) -> Void)? {
        guard let message = longMessage else { return nil }
        longMessage = nil
        countUnsentBytes(0)
        return message.next
    }
}
