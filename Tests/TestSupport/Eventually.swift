/// Waits until a condition holds that somebody else brings about; throws when it does not hold in time.
///
/// The limit is for what never happens: on a busy machine everything may take long.
package func eventually(
    _ what: String,
    within limit: Duration = .seconds(60),
    _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now.advanced(by: limit)
    while true {
        if try await condition() { return }
        guard ContinuousClock.now < deadline else {
            throw TestFailure("not within \(limit): \(what)")
        }
        try await Task.sleep(for: .milliseconds(50))
    }
}
