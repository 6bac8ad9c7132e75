internal import HomeModel

/// Checks a name and starts an operation with it, or fails with the error for the broken rule.
func withName<Value: Sendable>(_ name: String, _ start: (ObjectName) -> PendingResult<Value>) -> PendingResult<Value> {
    do throws(HomeError) {
        return start(try ObjectName(name))
    } catch {
        return PendingResult(failure: HMError(error, name: name))
    }
}

/// Starts a rename; fails with `renameWithSimilarName` if the name does not change.
func newName(_ name: String, insteadOf former: ObjectName, _ start: (ObjectName) -> PendingResult<Void>)
    -> PendingResult<Void>
{
    guard name != former.text else {
        return PendingResult(failure: HMError(.renameWithSimilarName, "The name is already \"\(name.prefix(64))\"."))
    }
    return withName(name, start)
}

extension Optional {
    /// Renames a part of a home; fails if it was removed.
    func rename<Model>(
        to text: String,
        _ name: KeyPath<Model, ObjectName>,
        _ change: @escaping @Sendable (inout Home, Model, ObjectName) throws(HomeError) -> Void
    ) -> PendingResult<Void> where Wrapped == ModelReference<Model> {
        guard let self, let current = self.current else { return PendingResult(failure: .removed) }
        return newName(text, insteadOf: current[keyPath: name]) { name in
            self.edit { home throws(HomeError) in try change(&home, current, name) }
        }
    }
}
