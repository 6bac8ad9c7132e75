import HAPController
import HAPCore
import Testing

/// Expects an error of a code.
func expect(
    _ code: ControllerError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    from body: () async throws -> Void
) async {
    do {
        try await body()
        Issue.record("nothing was thrown instead of \(code)", sourceLocation: sourceLocation)
    } catch let error as ControllerError {
        #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
    } catch {
        Issue.record(error, sourceLocation: sourceLocation)
    }
}

/// Expects the accessory to be blamed for breaking one layer of the protocol.
func expectMalformed(
    _ layer: ProtocolError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    from body: () async throws -> Void
) async {
    do {
        try await body()
        Issue.record("nothing was thrown", sourceLocation: sourceLocation)
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
