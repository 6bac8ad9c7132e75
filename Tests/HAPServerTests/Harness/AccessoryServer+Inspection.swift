import HAPCore
import HAPTransport

@testable import HAPServer

extension AccessoryServer {
    var activeSessionCount: Int { connections.activeSessionCount }

    /// How many calls of each handler have not returned.
    var handlerCallCounts: [Int] { handlerRegistry.calls.counts }

    /// Looks at the connections as if it were so many seconds later, one moment after the other; not before a part of a
    /// request has arrived, when that is what it is about.
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
