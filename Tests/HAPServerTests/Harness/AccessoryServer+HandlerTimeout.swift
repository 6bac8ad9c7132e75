import TestSupport

@testable import HAPServer

extension AccessoryServer {
    /// Times out the single handler that does not answer.
    func timeOutLastHandler() async throws {
        try await eventually("a single handler runs") { handlerRegistry.calls.numbers.count == 1 }
        for call in handlerRegistry.calls.numbers {
            handlerTimedOut(call)
        }
    }
}
