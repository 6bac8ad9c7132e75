extension AttributeDatabase {
    /// Adopts the values and subscriptions of the replaced database, and returns the values that had to change.
    ///
    /// Only objects that both databases have are considered.
    package mutating func adoptState(from previous: AttributeDatabase) -> ChangeSet {
        var changes = ChangeSet()
        for service in previous.services where service.isDriven && service.isReachable {
            setReachable(true, service.aid)
        }
        for old in previous.services {
            guard let former = old.behavior as? any ConnectedBehavior, let new = service(old.key, of: old.aid),
                var behavior = services[new].behavior as? any ConnectedBehavior
            else { continue }
            behavior.adopt(former)
            services[new].behavior = behavior
        }
        for (old, characteristic) in previous.characteristics.enumerated() {
            guard let new = index(of: characteristic.id), characteristics[new].type == characteristic.type else {
                continue
            }
            if characteristic.isPersistent, let value = previous.values[old] {
                restore([characteristic.id: value])
            }
            for subscriber in previous.subscriptions.subscribers(of: old)
            where characteristics[new].permissions.contains(.events) {
                subscriptions.subscribe(subscriber, to: new)
            }
            if values[new] != previous.values[old] {
                changes.merge(
                    ValueChange(
                        index: new,
                        id: characteristic.id,
                        previous: previous.values[old],
                        value: values[new],
                        isButton: characteristics[new].isButton
                    )
                )
            }
        }
        return changes
    }
}

/// The configuration number with the digest of the structure.
///
/// HAP: §11.7
public struct ConfigurationRecord: Sendable, Hashable {
    /// The `c#` number, from 1 to 65,535; after 65,535 it is 1 again.
    public private(set) var number: UInt16
    /// The digest of the structure and the firmware revisions: 64 bytes, or empty before the first start.
    public private(set) var digest: [UInt8]

    /// Creates a record; a number of 0 becomes 1.
    public init(number: UInt16 = 1, digest: [UInt8] = []) {
        self.number = max(number, 1)
        self.digest = digest
    }

    /// Returns the record for a structure, with the next number if its digest differs from the saved one.
    public func updated(for digest: [UInt8]) -> ConfigurationRecord {
        if self.digest.isEmpty || self.digest == digest {
            return ConfigurationRecord(number: number, digest: digest)
        }
        return ConfigurationRecord(number: nextNumber, digest: digest)
    }

    /// The record of the same structure with the next number, as after a firmware update.
    package var incremented: ConfigurationRecord {
        ConfigurationRecord(number: nextNumber, digest: digest)
    }

    private var nextNumber: UInt16 {
        number == .max ? 1 : number + 1
    }
}
