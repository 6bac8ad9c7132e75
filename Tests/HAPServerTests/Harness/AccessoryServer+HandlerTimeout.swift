@testable import HAPServer

extension AccessoryServer {
    /// Gives up on the one handler that does not answer, as if its time were over.
    func timeOutLastHandler() async throws {
        while handlerRegistry.calls.numbers.count != 1 {
            try await Task.sleep(for: .milliseconds(5))
        }
        for call in handlerRegistry.calls.numbers {
            handlerTimedOut(call)
        }
    }
}
