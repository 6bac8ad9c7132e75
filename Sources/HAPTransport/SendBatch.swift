package import NIOCore

/// What the connections of one event loop have to send, sent in a row at the end of the loop's turn.
///
/// A message to a peer that sleeps wakes it, which costs the sender more than composing the message did. Sent in a row,
/// the messages to eight waiting controllers on one machine wake it once; sent one by one, each lets it fall asleep
/// before the next.
package final class SendBatch {
    /// How many connections wait at most: the first of them should not wait for long.
    private static let capacity = 16

    private let eventLoop: any EventLoop
    private var waiting: [AccessoryChannelHandler] = []
    private var isScheduled = false

    package init(eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// Lets a connection send what it has soon, in this turn of the loop.
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

    /// Lets every connection that waits send what it has, before something that takes long.
    package func send() {
        guard !waiting.isEmpty else { return }
        let connections = waiting
        waiting.removeAll(keepingCapacity: true)
        for connection in connections {
            connection.sendOutput()
        }
    }
}
