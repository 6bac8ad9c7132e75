internal import NIOCore

extension AccessoryChannelHandler {
    /// What passes between two pieces, so that they do not travel together.
    private static let pauseBetweenPieces = TimeAmount.milliseconds(2)

    /// How many bytes leave at once at most: an injected fault; `nil`, the default, for as many as there are.
    package var pieceSize: Int? {
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

    /// Whether a message is leaving in parts: meanwhile no request is taken and no event sent, so that they do not pile up.
    var isSendingInParts: Bool {
        longMessage != nil || pieces?.isSending ?? false
    }

    /// Sends what was encoded piece by piece, behind the pieces that wait.
    func sendInPieces(then next: MessagePieces.Completion?) {
        pieces?.append(bufferedCodec.takeUnsent(), then: next)
        if pieces?.isSending == false {
            sendNextPiece()
        }
    }

    /// Sends at once what waits to leave piece by piece.
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

    private func write(_ piece: (bytes: ByteBuffer, next: MessagePieces.Completion?)) {
        guard let context else {
            piece.next?(self)
            return
        }
        var promise: EventLoopPromise<Void>?
        if let next = piece.next {
            promise = context.eventLoop.makePromise(of: Void.self)
            promise?.futureResult.assumeIsolated().whenComplete { _ in next(self) }
        }
        context.writeAndFlush(wrapOutboundOut(piece.bytes), promise: promise)
    }
}

/// What a connection has to send piece by piece.
struct MessagePieces {
    /// What is done when something has left, or cannot leave any more.
    typealias Completion = (AccessoryChannelHandler) -> Void

    /// How many bytes a piece has at most; `nil` when what comes from now on leaves whole, behind what waits.
    var size: Int?
    private var waiting: CircularBuffer<(bytes: ByteBuffer, size: Int, next: Completion?)> = []
    /// Whether the next piece leaves by itself.
    var isSending = false

    /// Whether nothing waits.
    var isEmpty: Bool {
        waiting.isEmpty
    }

    /// Takes what is to be sent.
    mutating func append(_ bytes: ByteBuffer, then next: Completion?) {
        waiting.append((bytes, max(1, size ?? bytes.readableBytes), next))
    }

    /// The next piece; `nil` when nothing waits.
    mutating func next() -> (bytes: ByteBuffer, next: Completion?)? {
        guard case (var bytes, let size, let next)? = waiting.popFirst() else { return nil }
        guard bytes.readableBytes > size, let piece = bytes.readSlice(length: size) else { return (bytes, next) }
        waiting.prepend((bytes, size, next))
        return (piece, nil)
    }
}
