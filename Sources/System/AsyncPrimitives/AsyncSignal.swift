/// A signal that wakes a waiting task.
///
/// If no task waits, the next wait returns immediately.
package final class AsyncSignal: Sendable {
    private let isSignaled = WaitableState(false)

    /// Creates a signal.
    package init() {}

    /// Wakes the waiting task, or the next one that waits.
    ///
    /// Several signals before a wait count as one.
    package func signal() {
        isSignaled.update { isSignaled in
            isSignaled = true
            return true
        }
    }

    /// Waits for a signal, or until the task is cancelled.
    package nonisolated(nonsending) func wait() async {
        _ = await isSignaled.wait { isSignaled -> Void? in
            guard isSignaled else { return nil }
            isSignaled = false
            return ()
        }
    }

    /// Waits until the task is cancelled.
    package static nonisolated(nonsending) func waitForCancellation() async {
        await AsyncSignal().wait()
    }
}
