internal import HAPCore
internal import HAPTransport

/// One session with an accessory.
struct AccessorySession: Sendable {
    /// Tells it from the accessory's other sessions, 1 and up.
    let number: UInt64
    let connection: AccessoryConnection

    /// Asks the accessory one thing.
    nonisolated(nonsending) func ask(
        _ request: HTTPRequest,
        within patience: Duration
    ) async throws(ControllerError) -> HTTPMessage {
        try await connection.request(request, within: patience)
    }

    /// Ends it over an answer that breaks the protocol.
    func end(over fault: ProtocolError) -> ControllerError {
        connection.close(.fault(fault))
        return .malformed(fault, at: connection.place)
    }
}
