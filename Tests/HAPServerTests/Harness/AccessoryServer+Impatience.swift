@testable import HAPServer

extension AccessoryServer {
    /// Gives up on the one handler that does not answer, as if its time were over.
    func giveUpOnLastHandler() async throws {
        while handlerCalls.numbers.count != 1 {
            try await Task.sleep(for: .milliseconds(5))
        }
        for call in handlerCalls.numbers {
            handlerTimedOut(call)
        }
    }
}
