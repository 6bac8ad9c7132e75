package import AccessoryModel
package import AsyncPrimitives
package import HAPCore
package import HomeModel

/// What happened in a world and was not taken yet: sent from anywhere, read by one task.
package typealias BackendMailbox = Mailbox<BackendChanges>

/// The changes in their order.
///
/// Beyond a capacity only the latest value of each characteristic waits, in the place of the earlier one.
package struct BackendChanges: MailboxBuffer {
    /// How many changes wait at most, but for a latest value of each characteristic.
    package static let capacity = 10_000

    private var changes: [BackendChange] = []
    private var latest: [CharacteristicReference: Int] = [:]
    private let capacity: Int

    /// Creates a buffer in which nothing waits.
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

    /// Takes out everything, the oldest first.
    package mutating func dequeue() -> [BackendChange]? {
        guard !changes.isEmpty else { return nil }
        defer { self = BackendChanges(capacity: capacity) }
        return changes
    }
}

extension BackendMailbox {
    /// Creates a mailbox in which nothing waits.
    package convenience init() {
        self.init(BackendChanges())
    }
}

extension BackendChange {
    /// The characteristic whose value it is.
    fileprivate var characteristic: CharacteristicReference? {
        switch self {
        case .value(let reference, _), .accepted(let reference, _): reference
        case .reachable, .unreachable, .structureChanged: nil
        }
    }
}

/// What happened in a world.
package enum BackendChange: Sendable, Hashable {
    /// A characteristic has this value; `nil` when it has none.
    case value(CharacteristicReference, CharacteristicValue?)
    /// A characteristic has this value, because the world has written it.
    ///
    /// For worlds in which nobody tells a writer of what they wrote.
    case accepted(CharacteristicReference, CharacteristicValue)
    /// A server can be reached.
    case reachable(DeviceID)
    /// A server cannot be reached, or not any more: why.
    case unreachable(DeviceID, String)
    /// A server has other accessories, services or characteristics than before.
    case structureChanged(DeviceID)
}
