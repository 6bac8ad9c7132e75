extension Result where Success: Sendable {
    /// Takes what some work returns or throws.
    package nonisolated(nonsending) init(catching work: () async throws(Failure) -> Success) async {
        do throws(Failure) {
            self = .success(try await work())
        } catch {
            self = .failure(error)
        }
    }
}
