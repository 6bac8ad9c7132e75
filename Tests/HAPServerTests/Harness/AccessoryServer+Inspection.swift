import HAPCore
import HAPTransport

@testable import HAPServer

extension AccessoryServer {
    var activeSessionCount: Int { connections.activeSessionCount }

    /// The number of running calls of each handler.
    var handlerCallCounts: [Int] { handlerRegistry.calls.counts }

    /// Inspects the connections as if it were so many seconds later, one time after the other.
    ///
    /// - Parameter whenReceiving: Whether to wait first until a part of a request has arrived.
    func inspectConnections(whenReceiving: Bool = false, afterSeconds seconds: [Int]) async throws {
        while whenReceiving, !connections.all.contains(where: \.channelHandler.isReceiving) {
            try await Task.sleep(for: .milliseconds(5))
        }
        let now = now
        for seconds in seconds {
            closeOverdueConnections(at: now.advanced(by: .seconds(seconds)))
        }
    }

    /// Counts a time as spent on requests of connections without a session.
    func addUnverifiedTime(_ duration: Duration) {
        deferredWork.recordUnverifiedWork(from: now, to: now.advanced(by: duration))
    }
}
