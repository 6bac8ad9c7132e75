package import AccessoryModel
package import AsyncPrimitives
package import HAPCore
package import HomeModel

/// A mailbox of backend changes that have not been processed yet.
///
/// Any task can send to it, and a single task reads it.
package typealias BackendMailbox = Mailbox<BackendChanges>

/// A buffer of changes in order.
///
/// When the capacity is exceeded, a new value replaces the waiting value of the same characteristic.
package struct BackendChanges: MailboxBuffer {
    /// The maximum number of waiting changes, not counting the latest value of each characteristic.
    package static let capacity = 10_000

    private var changes: [BackendChange] = []
    private var latest: [CharacteristicReference: Int] = [:]
    private let capacity: Int

    /// Creates an empty buffer.
    package init(capacity: Int = BackendChanges.capacity) {
        self.capacity = capacity
    }

    package mutating func enqueue(_ change: BackendChange) -> Bool {
        if let reference = change.characteristic {
            if changes.count >= capacity, let position = latest[reference] {
                changes[position] = change
                return true
            }
            latest[reference] = changes.count
        }
        changes.append(change)
        return true
    }

    /// Removes all changes and returns them, the oldest first.
    package mutating func dequeue() -> [BackendChange]? {
        guard !changes.isEmpty else { return nil }
        defer { self = BackendChanges(capacity: capacity) }
        return changes
    }
}

extension BackendMailbox {
    /// Creates an empty mailbox.
    package convenience init() {
        self.init(BackendChanges())
    }
}

extension BackendChange {
    /// The characteristic of a value change.
    fileprivate var characteristic: CharacteristicReference? {
        switch self {
        case .value(let reference, _), .accepted(let reference, _): reference
        case .reachable, .unreachable, .structureChanged: nil
        }
    }
}

/// A change in a backend.
package enum BackendChange: Sendable, Hashable {
    /// A characteristic has this value, or `nil` if it has none.
    case value(CharacteristicReference, CharacteristicValue?)
    /// A characteristic has this value because this process wrote it.
    ///
    /// This is for backends that send no event about a write to its writer.
    case accepted(CharacteristicReference, CharacteristicValue)
    /// A server became reachable.
    case reachable(DeviceID)
    /// A server cannot be reached, with the reason.
    case unreachable(DeviceID, String)
    /// The accessories, services or characteristics of a server changed.
    case structureChanged(DeviceID)
}
