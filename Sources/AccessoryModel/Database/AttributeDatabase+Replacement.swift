extension AttributeDatabase {
    /// Takes over the values and the subscriptions of the database that this one replaces, for what both have; answers
    /// with the values that could not stay as they were.
    package mutating func takeOver(from previous: AttributeDatabase) -> ChangeSet {
        var changes = ChangeSet()
        for (old, characteristic) in previous.characteristics.enumerated() {
            guard let new = index(of: characteristic.id), characteristics[new].type == characteristic.type else {
                continue
            }
            if characteristic.isKept, let value = previous.values[old] {
                restore([characteristic.id: value])
            }
            for subscriber in previous.subscriptions.subscribers(of: old)
            where characteristics[new].permissions.contains(.events) {
                subscriptions.subscribe(subscriber, to: new)
            }
            if values[new] != previous.values[old] {
                changes.note(
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
