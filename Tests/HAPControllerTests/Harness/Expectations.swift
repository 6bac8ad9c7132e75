import HAPController
import HAPCore
import Testing

/// Expects that the operation throws a controller error with this code.
func expect(
    _ code: ControllerError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    from body: () async throws -> Void
) async {
    do {
        try await body()
        Issue.record("expected the error \(code), but none was thrown", sourceLocation: sourceLocation)
    } catch let error as ControllerError {
        #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
    } catch {
        Issue.record(error, sourceLocation: sourceLocation)
    }
}

/// Expects an error that says that the accessory broke one layer of the protocol.
func expectMalformed(
    _ layer: ProtocolError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    from body: () async throws -> Void
) async {
    do {
        try await body()
        Issue.record("expected an error, but none was thrown", sourceLocation: sourceLocation)
    } catch let error as ControllerError {
        guard case .malformed(let fault) = error.code else {
            Issue.record(error, sourceLocation: sourceLocation)
            return
        }
        #expect(fault.code == layer, "\(error)", sourceLocation: sourceLocation)
    } catch {
        Issue.record(error, sourceLocation: sourceLocation)
    }
}
