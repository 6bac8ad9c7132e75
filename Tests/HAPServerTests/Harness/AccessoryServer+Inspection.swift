import HAPCore
import TestSupport

@testable import HAPServer

extension AccessoryServer {
    var activeSessionCount: Int { connections.activeSessionCount }

    /// The number of running calls of each handler.
    var handlerCallCounts: [Int] { handlerRegistry.calls.counts }

    /// Inspects the connections once for each number of seconds, as if that time had passed.
    ///
    /// - Parameters:
    ///   - whenReceiving: Whether to wait first until a part of a request has arrived.
    ///   - seconds: The numbers of seconds from now, in increasing order.
    func inspectConnections(whenReceiving: Bool = false, afterSeconds seconds: [Int]) async throws {
        if whenReceiving {
            try await eventually("a part of a request has arrived") {
                connections.all.contains(where: \.channelHandler.isReceiving)
            }
        }
        let now = now
        for seconds in seconds {
            closeOverdueConnections(at: now.advanced(by: .seconds(seconds)))
        }
    }

    /// Records a duration as spent on requests of connections without a session.
    func addUnverifiedTime(_ duration: Duration) {
        deferredWork.recordUnverifiedWork(from: now, to: now.advanced(by: duration))
    }
}
