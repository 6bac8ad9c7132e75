internal import AccessoryModel

/// What changes during one call to a behaviour, against what its owner knows.
///
/// Each characteristic comes out once, with its latest value, in the order of the last changes. One that is back where
/// it was does not come out.
struct ChangeLedger {
    private var known: [CharacteristicType: CharacteristicValue]
    private var latest: [CharacteristicType: CharacteristicValue]
    private var order: [CharacteristicType] = []

    /// Begins with what the owner knows.
    init(known: [CharacteristicType: CharacteristicValue]) {
        self.known = known
        latest = known
    }

    /// Begins with what the behaviour last told its owner.
    init(known: [BehaviorChange]) {
        self.init(known: Dictionary(known.map { ($0.type, $0.value) }) { _, last in last })
    }

    /// Takes over that the owner stores a written value, which is no change to tell it.
    mutating func stored(_ write: BehaviorChange) {
        known[write.type] = write.value
        latest[write.type] = write.value
        order.removeAll { $0 == write.type }
    }

    /// Compares the present values with the latest noted ones.
    mutating func note(_ values: [BehaviorChange]) {
        for present in values where latest[present.type] != present.value {
            latest[present.type] = present.value
            order.removeAll { $0 == present.type }
            order.append(present.type)
        }
    }

    /// What the owner is to be told.
    var changes: [BehaviorChange] {
        order.compactMap { type in
            guard let value = latest[type], known[type] != value else { return nil }
            return BehaviorChange(type, value)
        }
    }
}
