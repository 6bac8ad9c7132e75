internal import HomeModel
internal import Synchronization

/// What has happened in a world and was not taken yet, in its order; put in from anywhere, taken by one task.
///
/// Beyond its capacity only the latest value of each characteristic waits, where the earlier one stood.
package final class WorldMailbox: Sendable {
    /// How many changes wait at most, but for a latest value of each characteristic.
    package static let capacity = 10_000

    private struct State {
        var changes: [WorldChange] = []
        var latest: [HomeModel.CharacteristicReference: Int] = [:]
    }

    private let state = Mutex(State())
    private let capacity: Int
    private let bell = Doorbell()

    package init(capacity: Int = WorldMailbox.capacity) {
        self.capacity = capacity
    }

    /// Puts a change in.
    package func put(_ change: WorldChange) {
        state.withLock { state in
            if let reference = change.characteristic {
                if state.changes.count >= capacity, let position = state.latest[reference] {
                    state.changes[position] = change
                    return
                }
                state.latest[reference] = state.changes.count
            }
            state.changes.append(change)
        }
        bell.ring()
    }

    /// Takes out everything, the oldest first.
    package func takeAll() -> [WorldChange] {
        state.withLock { state in
            defer { state = State() }
            return state.changes
        }
    }

    /// Wakes who waits though nothing was put in.
    package func ring() {
        bell.ring()
    }

    /// Waits until something is there that was not when somebody waited last, or the task is cancelled.
    package func wait() async {
        await bell.wait()
    }
}

extension WorldChange {
    /// The characteristic whose value it is.
    fileprivate var characteristic: HomeModel.CharacteristicReference? {
        switch self {
        case .value(let reference, _), .written(let reference, _): reference
        case .reachable, .unreachable, .structureChanged: nil
        }
    }
}
