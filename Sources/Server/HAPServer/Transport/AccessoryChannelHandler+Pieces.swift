internal import NIOCore

extension AccessoryChannelHandler {
    /// The pause between two pieces, so that they are not sent together.
    private static let pauseBetweenPieces = TimeAmount.milliseconds(2)

    /// The maximum number of bytes that are sent at once, for fault injection; `nil`, the default, means no maximum.
    var pieceSize: Int? {
        get {
            pieces?.size
        }
        set {
            guard newValue != nil || pieces != nil else { return }
            var changed = pieces ?? MessagePieces()
            changed.size = newValue
            pieces = newValue == nil && changed.isEmpty && !changed.isSending ? nil : changed
        }
    }

    /// Whether a message is being sent in parts.
    ///
    /// Meanwhile, no request is handled and no event is sent, so that messages do not accumulate.
    var isSendingInParts: Bool {
        longMessage != nil || pieces?.isSending ?? false
    }

    /// Queues encrypted bytes after the waiting pieces, and sends them piece by piece.
    func sendInPieces(_ output: ByteBuffer, then next: MessagePieces.Completion?) {
        pieces?.append(output, then: next)
        if pieces?.isSending == false {
            sendNextPiece()
        }
    }

    /// Sends all waiting pieces at once.
    func sendAllPieces() {
        while let piece = pieces?.next() {
            write(piece)
        }
    }

    private func sendNextPiece() {
        guard let piece = pieces?.next() else {
            pieces?.isSending = false
            if pieces?.size == nil {
                pieces = nil
            }
            resumeDelivery()
            return
        }
        pieces?.isSending = true
        write(piece)
        guard let context else {
            sendAllPieces()
            return
        }
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.pauseBetweenPieces) { self.sendNextPiece() }
    }

    /// Passes bytes to the socket.
    ///
    /// `next` is called once: after the bytes were sent, or when sending failed.
    func write(
        _ bytes: ByteBuffer,
        to context: ChannelHandlerContext,
        then next: ((AccessoryChannelHandler) -> Void)?
    ) {
        var promise: EventLoopPromise<Void>?
        if let next {
            promise = context.eventLoop.makePromise(of: Void.self)
            promise?.futureResult.assumeIsolated().whenComplete { _ in next(self) }
        }
        context.writeAndFlush(wrapOutboundOut(bytes), promise: promise)
    }

    private func write(_ piece: (bytes: ByteBuffer, next: MessagePieces.Completion?)) {
        guard let context else {
            piece.next?(self)
            return
        }
        write(piece.bytes, to: context, then: piece.next)
    }
}

/// The bytes that a connection sends piece by piece.
struct MessagePieces {
    /// Called when a piece was sent or cannot be sent.
    typealias Completion = (AccessoryChannelHandler) -> Void

    /// The maximum number of bytes of a piece; `nil` if later messages are sent whole, after the waiting pieces.
    var size: Int?
    private var waiting: CircularBuffer<(bytes: ByteBuffer, size: Int, next: Completion?)> = []
    /// Whether a timer sends the next piece.
    var isSending = false

    /// Whether nothing waits.
    var isEmpty: Bool {
        waiting.isEmpty
    }

    /// Adds bytes to send.
    mutating func append(_ bytes: ByteBuffer, then next: Completion?) {
        waiting.append((bytes, max(1, size ?? bytes.readableBytes), next))
    }

    /// Removes the next piece and returns it; `nil` if nothing waits.
    mutating func next() -> (bytes: ByteBuffer, next: Completion?)? {
        guard case (var bytes, let size, let next)? = waiting.popFirst() else { return nil }
        guard bytes.readableBytes > size, let piece = bytes.readSlice(length: size) else { return (bytes, next) }
        waiting.prepend((bytes, size, next))
        return (piece, nil)
    }
}
