@testable import HAPServer

extension AccessoryServer {
    /// Waits until an injected fault delays a response.
    func waitForDelayedResponse() async throws {
        while !faultyConnections.contains(where: { $0.delayedResponse != nil }) {
            try await Task.sleep(for: .milliseconds(5))
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
