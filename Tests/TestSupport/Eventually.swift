/// Waits until a condition is true; throws if it is still false at the time limit.
///
/// The limit is generous, because everything may be slow on a busy machine.
package func eventually(
    _ what: String,
    within limit: Duration = .seconds(60),
    isolation: isolated (any Actor)? = #isolation,
    _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now.advanced(by: limit)
    while true {
        if try await condition() { return }
        guard ContinuousClock.now < deadline else {
            throw TestFailure("not within \(limit): \(what)")
        }
        // Waits: the condition is outside of this process, or has no signal.
        try await Task.sleep(for: .milliseconds(10))
    }
}
