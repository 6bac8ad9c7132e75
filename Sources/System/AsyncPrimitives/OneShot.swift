/// A value that is set once, by the first caller.
///
/// Tasks may wait for it before and after that.
package final class OneShot<Value: Sendable>: Sendable {
    private let state = WaitableState<Value?>(nil)

    /// Creates a one-shot without a value.
    package init() {}

    /// The value, or `nil` before it is set.
    package var value: Value? {
        state.withLock { $0 }
    }

    /// Sets the value, unless it was set before.
    ///
    /// - Returns: The effective value: this one, or the one that was set before.
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

    /// Waits for the value, even in a cancelled task.
    package nonisolated(nonsending) func wait() async -> Value {
        while true {
            // Cancellation does not end the wait, so it returns only with a value.
            if let value = await state.wait(isCancellable: false, for: { $0 }) { return value }
        }
    }

    /// Waits for the value; returns `nil` if the task is cancelled before it is set.
    package nonisolated(nonsending) func waitUnlessCancelled() async -> Value? {
        await state.wait { $0 }
    }
}

extension OneShot<Void> {
    /// Whether the value was set.
    package var isSet: Bool {
        value != nil
    }

    /// Sets the value.
    package func set() {
        set(())
    }
}
