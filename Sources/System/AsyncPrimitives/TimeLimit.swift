/// Returns the result of some work, or `nil` if the work takes longer than a limit.
///
/// Waits until the work has ended: it is cancelled at the limit, or when the caller's task is cancelled. In a cancelled
/// task, the result can be `nil` before the limit.
package nonisolated(nonsending) func withTimeLimit<Value: Sendable>(
    _ limit: Duration,
    _ work: @escaping @Sendable () async -> Value
) async -> Value? {
    await withTaskGroup(of: Value?.self) { group -> Value? in
        group.addTask { await work() }
        group.addTask {
            try? await Task.sleep(for: limit)
            return nil
        }
        defer { group.cancelAll() }
        return await group.next() ?? nil
    }
}
