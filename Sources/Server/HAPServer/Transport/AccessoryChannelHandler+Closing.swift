internal import Glibc
internal import NIOCore

extension AccessoryChannelHandler {
    /// Closes the connection when the peer's TCP has acknowledged everything, or after about a second.
    ///
    /// A peer may otherwise see the end of the connection before it has read the last response.
    func closeWhenAcknowledged(_ reason: CloseReason, after delay: TimeAmount = .milliseconds(1)) {
        guard let socket, delay <= .milliseconds(512) else { return close(reason) }
        let eventLoop = socket.eventLoop
        socket.getTCPInfo().assumeIsolated()
            .whenComplete { result in
                guard let information = try? result.get(), information.tcpi_unacked > 0 else {
                    return self.close(reason)
                }
                eventLoop.assumeIsolated()
                    .scheduleTask(in: delay) {
                        self.closeWhenAcknowledged(reason, after: delay * 2)
                    }
            }
    }
}
