package import AccessoryModel
internal import HAPCore

/// The values of a service's characteristics as a behavior sees them, and which of them its owner does not know yet.
///
/// Setting a characteristic that the service does not have does nothing.
package struct ServiceValues: Sendable {
    private struct Entry: Sendable {
        let type: CharacteristicType
        var value: CharacteristicValue?
        /// What the owner knows.
        var reported: CharacteristicValue?
    }

    private var entries: [Entry] = []
    /// The types whose values were set since the last ``takeChanges()``, in the order of the last change of each.
    private var changed: [CharacteristicType] = []

    /// A service with these characteristics, each without a value.
    package init(_ types: [CharacteristicType] = []) {
        self.init(stored: [:], of: types)
    }

    /// A service with the kept values, and with these characteristics, whether they have one or not.
    package init(stored: [CharacteristicType: CharacteristicValue], of types: [CharacteristicType] = []) {
        entries = stored.map { Entry(type: $0.key, value: $0.value, reported: $0.value) }
        for type in types where !contains(type) {
            entries.append(Entry(type: type))
        }
    }

    /// Whether the service has this characteristic.
    package func contains(_ type: CharacteristicType) -> Bool {
        index(of: type) != nil
    }

    /// The value of a characteristic, `nil` when it has none.
    package subscript(type: CharacteristicType) -> CharacteristicValue? {
        index(of: type).flatMap { entries[$0].value }
    }

    /// A finite number, `nil` when there is none.
    package func number(_ type: CharacteristicType) -> Double? {
        self[type]?.finiteDouble
    }

    /// An integer, `nil` when there is none.
    package func integer(_ type: CharacteristicType) -> Int? {
        self[type]?.coercedInteger
    }

    /// One of two states, `nil` when it is none of them.
    package func bool(_ type: CharacteristicType) -> Bool? {
        self[type]?.coercedBool
    }

    /// Changes a value of which the owner is to be told, unless the service lacks it.
    package mutating func set(_ type: CharacteristicType, _ value: CharacteristicValue) {
        guard let index = index(of: type), entries[index].value != value else { return }
        entries[index].value = value
        changed.removeAll { $0 == type }
        changed.append(type)
    }

    /// Changes a value unless it says the same in another way, such as `true` for 1.
    package mutating func set(_ type: CharacteristicType, integer: Int) {
        guard self.integer(type) != integer else { return }
        set(type, .integer(integer))
    }

    /// Gives a value to a characteristic that has none, unless the service lacks it.
    package mutating func setDefault(_ type: CharacteristicType, _ value: CharacteristicValue) {
        if let index = index(of: type), entries[index].value == nil {
            set(type, value)
        }
    }

    /// Gives a state to a characteristic of the service that has none, or something else.
    package mutating func setDefault(_ type: CharacteristicType, bool: CharacteristicValue) {
        if self.bool(type) == nil {
            set(type, bool)
        }
    }

    /// Takes over a write that the owner stores.
    package mutating func store(_ write: BehaviorChange) {
        if let index = index(of: write.type) {
            entries[index].value = write.value
            entries[index].reported = write.value
            changed.removeAll { $0 == write.type }
        } else {
            entries.append(Entry(type: write.type, value: write.value, reported: write.value))
        }
    }

    /// What the owner is to be told: each characteristic once, with its latest value; none that is where it was.
    package mutating func takeChanges() -> [BehaviorChange] {
        guard !changed.isEmpty else { return [] }
        var changes: [BehaviorChange] = []
        for type in changed {
            guard let index = index(of: type), let value = entries[index].value else { continue }
            if entries[index].reported != value {
                entries[index].reported = value
                changes.append(BehaviorChange(type, value))
            }
        }
        changed.removeAll(keepingCapacity: true)
        return changes
    }

    private func index(of type: CharacteristicType) -> Int? {
        entries.firstIndex { $0.type == type }
    }
}
