internal import AsyncPrimitives
internal import HAPCore

/// The changes that wait for a subscriber: all of them up to a limit, or only the latest of each kind beyond it.
///
/// Once the limit is exceeded, only the latest changes are kept until the subscriber has read all of them. The average
/// cost of an operation does not depend on the number of changes.
package struct ChangeQueue: Sendable {
    /// The kind of a change: a later change of the same kind replaces it.
    private enum Kind: Hashable {
        case value(CharacteristicID)
        case refusal(CharacteristicID)
        case failedRead(CharacteristicID)
        case connection
        case database
    }

    private let limit: Int
    private let byteLimit: Int
    /// The waiting changes, starting at ``head``; `nil` for a change that was read or replaced.
    private var slots: [AccessoryChange?] = []
    private var head = 0
    /// The positions of the latest change of each kind; `nil` while all changes are stored.
    private var latest: [Kind: Int]?
    /// The number of waiting changes.
    package private(set) var count = 0
    /// The approximate number of bytes of all changes.
    package private(set) var byteCount = 0

    /// Creates an empty queue; limits below 1 count as 1.
    ///
    /// - Parameters:
    ///   - limit: The number of changes that are stored without replacing any.
    ///   - byteLimit: The number of bytes that are stored without replacing any change, and the maximum for the latest
    ///     changes.
    package init(limit: Int, byteLimit: Int = .max) {
        self.limit = max(1, limit)
        self.byteLimit = max(1, byteLimit)
    }

    /// Adds a change at the end.
    ///
    /// - Returns: Whether there is room; `false` if even the latest changes of each kind are too large together.
    package mutating func append(_ change: AccessoryChange) -> Bool {
        if latest != nil {
            replace(with: change)
        } else {
            add(change)
            if count > limit || byteCount > byteLimit {
                startCoalescing()
            }
        }
        return byteCount <= byteLimit
    }

    /// Removes the first change.
    package mutating func next() -> AccessoryChange? {
        while head < slots.count {
            let position = head
            head += 1
            guard let change = slots[position] else { continue }
            remove(at: position)
            latest?[Self.kind(of: change)] = nil
            shrinkIfSparse()
            return change
        }
        return nil
    }

    private mutating func add(_ change: AccessoryChange) {
        slots.append(change)
        count += 1
        byteCount += Self.size(of: change)
    }

    private mutating func remove(at position: Int) {
        guard let change = slots[position] else { return }
        slots[position] = nil
        count -= 1
        byteCount -= Self.size(of: change)
    }

    /// Adds a change in place of an earlier one of its kind.
    private mutating func replace(with change: AccessoryChange) {
        let kind = Self.kind(of: change)
        if let earlier = latest?[kind] {
            remove(at: earlier)
        }
        latest?[kind] = slots.count
        add(change)
        shrinkIfSparse()
    }

    /// Switches to keeping only the latest change of each kind.
    private mutating func startCoalescing() {
        var latest: [Kind: Int] = [:]
        for position in head..<slots.count {
            guard let change = slots[position] else { continue }
            let earlier = latest.updateValue(position, forKey: Self.kind(of: change))
            if let earlier { remove(at: earlier) }
        }
        self.latest = latest
        shrinkIfSparse()
    }

    /// Frees empty slots if most slots are empty.
    private mutating func shrinkIfSparse() {
        guard count > 0 else {
            slots.removeAll(keepingCapacity: slots.capacity <= limit)
            (head, latest) = (0, nil)
            return
        }
        guard slots.count > 2 * count + 16 else { return }
        slots = slots[head...].filter { $0 != nil }
        head = 0
        guard latest != nil else { return }
        latest = Dictionary(
            slots.enumerated().compactMap { position, change in change.map { (Self.kind(of: $0), position) } },
            uniquingKeysWith: { _, last in last }
        )
    }

    private static func kind(of change: AccessoryChange) -> Kind {
        switch change {
        case .value(let id, _): .value(id)
        case .refused(let result): .refusal(result.id)
        case .unreadable(let result): .failedRead(result.id)
        case .connected, .disconnected: .connection
        case .databaseChanged: .database
        }
    }

    private static func size(of change: AccessoryChange) -> Int {
        let content =
            switch change {
            case .value(_, let value): value?.size ?? 0
            case .disconnected(let error): error.reason.utf8.count + error.remedy.utf8.count
            case .refused(let result), .unreadable(let result): result.value?.size ?? 0
            case .connected, .databaseChanged: 0
            }
        return content + MemoryLayout<AccessoryChange?>.stride
    }
}

extension ChangeQueue: MailboxBuffer {
    /// Adds a change; a single change always has room.
    ///
    /// - Throws: ``ControllerError/overflow`` if the queue is full. The queue is then empty.
    package mutating func enqueue(_ change: AccessoryChange) throws(ControllerError) -> Bool {
        guard append(change) || count == 1 else {
            self = ChangeQueue(limit: 1)
            throw .overflow
        }
        return true
    }

    package mutating func dequeue() -> AccessoryChange? {
        next()
    }
}
