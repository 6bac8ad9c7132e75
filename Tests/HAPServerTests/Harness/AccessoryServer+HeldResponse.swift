@testable import HAPServer

extension AccessoryServer {
    /// Waits until an injected fault delays a response.
    func waitForHeldResponse() async throws {
        while !faultyConnections.contains(where: { $0.heldResponse != nil }) {
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Ends every delay of a response.
    func releaseHeldResponses() {
        for connection in faultyConnections {
            connection.releaseResponse(by: self)
        }
    }

    private var faultyConnections: [FaultyConnection] {
        connections.all.compactMap { $0 as? FaultyConnection }
    }
}
