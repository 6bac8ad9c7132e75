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
/// When the capacity is exceeded, a new value replaces the waiting value of the same characteristic, and a new state of a
/// server the waiting one of the same server.
package struct BackendChanges: MailboxBuffer {
    /// The maximum number of waiting changes, not counting the latest one of each characteristic and server.
    package static let capacity = 10_000

    private var changes: [BackendChange] = []
    /// The positions of the latest changes.
    private var latest: [Subject: Int] = [:]
    private let capacity: Int

    /// Creates an empty buffer.
    package init(capacity: Int = BackendChanges.capacity) {
        self.capacity = capacity
    }

    package mutating func enqueue(_ change: BackendChange) -> Bool {
        if changes.count >= capacity, let position = latest[change.subject] {
            changes[position] = change
            return true
        }
        latest[change.subject] = changes.count
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

/// A part of a backend that changes: of several changes of it, only the latest one matters.
private enum Subject: Hashable {
    case characteristic(CharacteristicReference)
    case reachability(DeviceID)
    case structure(DeviceID)
}

extension BackendChange {
    /// The part of the backend that changes.
    fileprivate var subject: Subject {
        switch self {
        case .value(let reference, _), .accepted(let reference, _): .characteristic(reference)
        case .reachable(let server), .unreachable(let server, _): .reachability(server)
        case .structureChanged(let server): .structure(server)
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
