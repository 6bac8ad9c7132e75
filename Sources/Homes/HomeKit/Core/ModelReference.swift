internal import HomeModel
internal import Synchronization

/// A reference to a part of a home.
///
/// It reads the current home on each access, and returns the last state after the part was removed.
final class ModelReference<Model: Sendable>: RemovableReference {
    let context: ManagerContext
    let home: ObjectID<Home>
    private let find: @Sendable (HomeSnapshot) -> Model?
    private let last: Mutex<Model>

    init(
        _ model: Model,
        of home: ObjectID<Home>,
        in context: ManagerContext,
        find: @escaping @Sendable (HomeSnapshot) -> Model?
    ) {
        self.context = context
        self.home = home
        self.find = find
        last = Mutex(model)
    }

    /// The part as it is now, or `nil` if it was removed.
    var current: Model? { snapshot.flatMap(find) }

    /// The part as it is now, or was when it was removed.
    var model: Model { current ?? last.withLock(\.self) }

    /// The current home.
    var snapshot: HomeSnapshot? { context.core.snapshot(of: home) }

    func isRemoved(in snapshot: HomeSnapshot?) -> Bool { snapshot.flatMap(find) == nil }

    func keepLast(of snapshot: HomeSnapshot) {
        guard let model = find(snapshot) else { return }
        last.withLock { $0 = model }
    }

    /// Changes the home; fails if the part was removed.
    func edit<Result: Sendable>(
        _ change: @escaping @Sendable (inout Home) throws(HomeError) -> Result
    ) -> PendingResult<Void> {
        edit(change) { _ in () }
    }

    /// Changes the home with the rules of the framework, which are checked when it is the turn of the change.
    func change(_ change: @escaping @Sendable (inout Home) throws(HMError) -> Void) -> PendingResult<Void> {
        guard current != nil else { return PendingResult(failure: .removed) }
        let home = home
        return context.core.edit { homes throws(HMError) in
            guard var changed = homes.home(home) else { throw .removed }
            try change(&changed)
            let result = changed
            try HMError.wrapping { () throws(HomeError) in
                try homes.edit(home) { home throws(HomeError) in home = result }
            }
        } returning: {
            ()
        }
    }

    /// Changes the home, then returns a value computed from the result.
    ///
    /// - Parameter value: Computes the value on the main queue, after the change; `nil` means that the object was
    ///   removed.
    func edit<Result: Sendable, Value: Sendable>(
        _ change: @escaping @Sendable (inout Home) throws(HomeError) -> Result,
        returning value: @escaping @Sendable (Result) -> Value?
    ) -> PendingResult<Value> {
        guard current != nil else { return PendingResult(failure: .removed) }
        let home = home
        return context.core.edit { homes throws(HMError) in
            try HMError.wrapping { () throws(HomeError) in try homes.edit(home, change) }
        } returning: { result in
            value(result)
        }
    }
}

/// A part of a home that may be removed.
protocol RemovableReference: Sendable {
    var home: ObjectID<Home> { get }

    /// Returns whether a home does not have the part.
    func isRemoved(in snapshot: HomeSnapshot?) -> Bool

    /// Remembers how the part is in a home, because it is about to be removed.
    func keepLast(of snapshot: HomeSnapshot)
}

extension Optional {
    /// Starts an operation on a part and another part of the same home.
    ///
    /// Fails if one of them was removed, or if they are of different homes.
    func with<Model, Other, Value: Sendable>(
        _ id: KeyPath<Model, ObjectID<Model>>,
        _ other: ModelReference<Other>?,
        _ otherID: KeyPath<Other, ObjectID<Other>>,
        _ start: (ModelReference<Model>, ObjectID<Model>, ObjectID<Other>) -> PendingResult<Value>
    ) -> PendingResult<Value> where Wrapped == ModelReference<Model> {
        guard let self, let current = self.current, let other, let otherCurrent = other.current else {
            return PendingResult(failure: .removed)
        }
        guard self.home == other.home else { return PendingResult(failure: .otherHome) }
        return start(self, current[keyPath: id], otherCurrent[keyPath: otherID])
    }
}
