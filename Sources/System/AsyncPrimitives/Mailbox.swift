/// The content of a ``Mailbox``, with its rules for order, limits and messages that replace each other.
package protocol MailboxBuffer: Sendable {
    /// The type of messages that senders add.
    associatedtype Message: Sendable
    /// The type of deliveries that the reader removes.
    associatedtype Delivery: Sendable
    /// The error with which the mailbox may end.
    associatedtype Failure: Error = Never

    /// Adds a message.
    ///
    /// - Returns: Whether to wake the reader; `false` for a message that is dropped.
    /// - Throws: The error that ends the mailbox, such as too many messages. The buffer then drops messages that no
    ///   reader should see.
    mutating func enqueue(_ message: Message) throws(Failure) -> Bool

    /// Removes and returns the next delivery, or `nil` if there is none.
    mutating func dequeue() -> Delivery?
}

/// A buffer between many senders and one reader, whose wait can be cancelled.
///
/// Senders never wait. Use either ``next()``, or ``wait()`` with ``dequeue()`` if the reader waits for
/// several events.
package final class Mailbox<Buffer: MailboxBuffer>: Sendable {
    private struct Contents {
        var buffer: Buffer
        var completion: Result<Void, Buffer.Failure>?
        /// Whether a message was added since the reader's last wait.
        var isSignaled = false
        /// Whether the reader has received all messages and waits in ``Mailbox/next()``.
        var isReaderWaiting = false
    }

    private let contents: WaitableState<Contents>

    /// Creates a mailbox with the content of a buffer.
    package init(_ buffer: Buffer) {
        contents = WaitableState(Contents(buffer: buffer))
    }

    /// Sends a message; a mailbox that has ended drops it.
    package func send(_ message: Buffer.Message) {
        contents.update { contents in
            guard contents.completion == nil else { return false }
            do throws(Buffer.Failure) {
                guard try contents.buffer.enqueue(message) else { return false }
            } catch {
                contents.completion = .failure(error)
            }
            contents.isSignaled = true
            contents.isReaderWaiting = false
            return true
        }
    }

    /// Whether the reader has received all messages and waits for the next one in ``next()``.
    package var isReaderWaiting: Bool { contents.withLock { $0.isReaderWaiting } }

    /// Ends the mailbox, unless it has ended: the reader still receives the waiting deliveries first.
    package func finish(_ end: Result<Void, Buffer.Failure> = .success(())) {
        contents.update { contents in
            guard contents.completion == nil else { return false }
            contents.completion = end
            contents.isReaderWaiting = false
            return true
        }
    }

    /// Waits for the next delivery and returns it, or `nil` at the end.
    ///
    /// The mailbox ends when the reader's task is cancelled.
    ///
    /// - Throws: The error with which the mailbox has ended.
    package nonisolated(nonsending) func next() async throws(Buffer.Failure) -> Buffer.Delivery? {
        let result = await contents.wait { contents -> Result<Buffer.Delivery?, Buffer.Failure>? in
            if let delivery = contents.buffer.dequeue() { return .success(delivery) }
            contents.isReaderWaiting = contents.completion == nil
            return contents.completion.map { end in end.map { nil } }
        }
        guard let result else {
            finish()
            return nil
        }
        return try result.get()
    }

    /// Removes and returns the next delivery without waiting, or `nil` if there is none.
    package func dequeue() -> Buffer.Delivery? {
        contents.withLock { $0.buffer.dequeue() }
    }

    /// Waits until a message was added since the last wait, until the end, or until the task is cancelled.
    package nonisolated(nonsending) func wait() async {
        _ = await contents.wait { contents -> Void? in
            guard contents.isSignaled || contents.completion != nil else { return nil }
            contents.isSignaled = false
            return ()
        }
    }

    /// Wakes the waiting reader, or lets the next ``wait()`` return at once, without a message.
    package func wake() {
        contents.update { contents in
            contents.isSignaled = true
            return true
        }
    }

    /// Reads or changes the content of the buffer, without waking the reader.
    package func withBuffer<Result: Sendable>(_ body: (inout Buffer) -> Result) -> Result {
        contents.withLock { body(&$0.buffer) }
    }
}
