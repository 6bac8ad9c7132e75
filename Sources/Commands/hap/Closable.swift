import HAPController
import HomeRuntime
import Storage

/// A store or a controller that is closed after its use.
protocol Closable {
    func close() async throws
}

extension Closable {
    /// Runs some work and then closes the object, even if the work throws.
    ///
    /// An error that occurs while closing is ignored.
    func closing<Result, Failure: Error>(
        _ work: (Self) async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let outcome: Swift.Result<Result, Failure>
        do throws(Failure) {
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

extension StateStore: Closable {}
