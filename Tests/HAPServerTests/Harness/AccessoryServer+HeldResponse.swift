@testable import HAPServer

extension AccessoryServer {
    /// Waits until an injected fault holds a response back.
    func waitForHeldResponse() async throws {
        while !connections.all.contains(where: { $0.heldResponse != nil }) {
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Ends every delay of a response.
    func releaseHeldResponses() {
        for connection in connections.all {
            releaseResponse(to: connection)
        }
    }
}
