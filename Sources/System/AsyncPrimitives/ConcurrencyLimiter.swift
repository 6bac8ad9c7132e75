/// A limit for the number of tasks that do some work at the same time.
package final class ConcurrencyLimiter: Sendable {
    private let free: WaitableState<Int>
    private let patience: Duration

    /// Creates a limiter.
    ///
    /// - Parameters:
    ///   - count: The number of tasks that may do the work at the same time.
    ///   - patience: The maximum time for which another task waits.
    package init(_ count: Int, patience: Duration) {
        free = WaitableState(count)
        self.patience = patience
    }

    /// Waits until fewer tasks do the work, and returns whether this one may begin.
    ///
    /// It must then call ``release()`` at the end.
    package func acquire() async -> Bool {
        if take() { return true }
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask { [free] in await free.wait(for: Self.take) != nil }
            group.addTask { [patience] in
                try? await Task.sleep(for: patience)
                return false
            }
            var isAcquired = false
            for await result in group {
                isAcquired = isAcquired || result
                group.cancelAll()
            }
            return isAcquired
        }
    }

    /// Lets another task begin.
    package func release() {
        free.update { free in
            free += 1
            return true
        }
    }

    private func take() -> Bool { free.withLock { Self.take(&$0) } != nil }

    private static func take(_ free: inout Int) -> Void? {
        guard free > 0 else { return nil }
        free -= 1
        return ()
    }
}
