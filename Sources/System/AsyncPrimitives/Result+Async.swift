extension Result where Success: Sendable {
    /// Captures the result or the error of asynchronous work.
    package nonisolated(nonsending) init(catching work: () async throws(Failure) -> Success) async {
        do throws(Failure) {
            self = .success(try await work())
        } catch {
            self = .failure(error)
        }
    }
}
