internal import NIOCore

/// The unsent messages of the connections of one event loop, which are sent in a row at the end of the loop's turn.
///
/// Waking a sleeping peer costs the sender more than encoding the message. Suppose that eight controllers on one
/// machine wait for messages. If the messages are sent in a row, they wake the machine once. If they are sent one by
/// one, the machine may fall asleep again before each of them.
final class SendBatch {
    /// The maximum number of waiting connections, so that the first one does not wait for long.
    private static let capacity = 16

    private let eventLoop: any EventLoop
    private var waiting: CircularBuffer<AccessoryChannelHandler> = []
    private var isScheduled = false

    init(eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// Schedules a connection to send its messages in this turn of the loop.
    func add(_ connection: AccessoryChannelHandler) {
        waiting.append(connection)
        if waiting.count >= Self.capacity {
            send()
        } else if !isScheduled {
            isScheduled = true
            eventLoop.assumeIsolated()
                .execute {
                    self.isScheduled = false
                    self.send()
                }
        }
    }

    /// Sends the messages of all waiting connections, before a long computation.
    func send() {
        // Sending may add a connection, and may send the others.
        while let connection = waiting.popFirst() {
            connection.sendOutput()
        }
    }
}
