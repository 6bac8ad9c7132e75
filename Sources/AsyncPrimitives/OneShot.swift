/// A value that is set once: the first caller that sets it decides.
///
/// Tasks may wait for it before and after that.
package final class OneShot<Value: Sendable>: Sendable {
    private let state = WaitableState<Value?>(nil)

    /// Creates a one-shot without a value.
    package init() {}

    /// The value, `nil` before it was set.
    package var value: Value? {
        state.withLock { $0 }
    }

    /// Sets the value, unless it was set before.
    ///
    /// - Returns: The value that counts: this one, or the one that was set before.
    @discardableResult package func set(_ value: Value) -> Value {
        var decided = value
        state.update { current in
            if let current {
                decided = current
                return false
            }
            current = value
            return true
        }
        return decided
    }

    /// Waits for the value, also in a task that is cancelled.
    package nonisolated(nonsending) func wait() async -> Value {
        while true {
            // Cancellation does not end this wait, so that the first one has a value.
            if let value = await state.wait(isCancellable: false, for: { $0 }) { return value }
        }
    }

    /// Waits for the value; returns `nil` when the task is cancelled before it is set.
    package nonisolated(nonsending) func waitUnlessCancelled() async -> Value? {
        await state.wait { $0 }
    }
}

extension OneShot<Void> {
    /// Whether it was set.
    package var isSet: Bool {
        value != nil
    }

    /// Sets it.
    package func set() {
        set(())
    }
}
