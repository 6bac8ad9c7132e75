import HAPController
import HomeRuntime

/// A store or a controller that is closed after its use.
protocol Closable {
    func close() async throws
}

extension Closable {
    /// Runs some work and then closes the object, even if the work throws.
    ///
    /// An error that occurs while closing is ignored.
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
