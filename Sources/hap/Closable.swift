import HAPController
import HomeRuntime

/// A store or a controller, which is closed after its use.
protocol Closable {
    func close() async throws
}

extension Closable {
    /// Closes it after the work, however that ends; a failure to close it is not reported.
    func closing<Result>(_ work: (Self) async throws -> Result) async throws -> Result {
        let outcome: Swift.Result<Result, any Error>
        do {
            outcome = .success(try await work(self))
        } catch {
            outcome = .failure(error)
        }
        try? await close()
        return try outcome.get()
    }
}

extension Controller: Closable {}

extension ControllerStateStore: Closable {}

extension HomeStateStore: Closable {}
