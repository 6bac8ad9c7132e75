@testable import HAPServer

extension AccessoryServer {
    /// Times out the single handler that does not answer.
    func timeOutLastHandler() async throws {
        while handlerRegistry.calls.numbers.count != 1 {
            try await Task.sleep(for: .milliseconds(5))
        }
        for call in handlerRegistry.calls.numbers {
            handlerTimedOut(call)
        }
    }
}
