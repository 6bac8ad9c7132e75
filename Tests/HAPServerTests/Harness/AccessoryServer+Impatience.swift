@testable import HAPServer

extension AccessoryServer {
    /// Gives up on the one handler that does not answer, as if its time were over.
    func giveUpOnLastHandler() async throws {
        while program.calls.numbers.count != 1 {
            try await Task.sleep(for: .milliseconds(5))
        }
        for call in program.calls.numbers {
            handlerTimedOut(call)
        }
    }
}
