import TestSupport

@testable import HAPServer

extension AccessoryServer {
    /// Waits until an injected fault delays a response.
    func waitForDelayedResponse() async throws {
        try await eventually("a response is delayed") {
            faultyConnections.contains { $0.delayedResponse != nil }
        }
    }

    /// Ends every delay of a response.
    func releaseDelayedResponses() {
        for connection in faultyConnections {
            connection.sendDelayedResponse(by: self)
        }
    }

    private var faultyConnections: [FaultyConnection] {
        connections.all.compactMap { $0 as? FaultyConnection }
    }
}
