package import AccessoryModel
internal import HAPCore

/// The values of a service's characteristics as a behavior sees them, with the changes that its owner does not know
/// yet.
///
/// Setting a characteristic that the service does not have does nothing.
package struct ServiceValues: Sendable {
    private struct Entry: Sendable {
        let type: CharacteristicType
        var value: CharacteristicValue?
        /// The value that the owner knows.
        var reported: CharacteristicValue?
    }

    private var entries: [Entry] = []
    /// The types whose values were set since the last ``takeChanges()``, in the order of the last change of each.
    private var changed: [CharacteristicType] = []

    /// Creates the values of a service with these characteristics, all without a value.
    package init(_ types: [CharacteristicType] = []) {
        self.init(stored: [:], of: types)
    }

    /// Creates the values of a service with the saved values and these characteristics, with or without a value.
    package init(stored: [CharacteristicType: CharacteristicValue], of types: [CharacteristicType] = []) {
        entries = stored.map { Entry(type: $0.key, value: $0.value, reported: $0.value) }
        for type in types where !contains(type) {
            entries.append(Entry(type: type))
        }
    }

    /// Returns whether the service has this characteristic.
    package func contains(_ type: CharacteristicType) -> Bool {
        index(of: type) != nil
    }

    /// The value of a characteristic; `nil` if it has none.
    package subscript(type: CharacteristicType) -> CharacteristicValue? {
        index(of: type).flatMap { entries[$0].value }
    }

    /// Returns the finite number that a characteristic holds; `nil` if it holds none.
    package func number(_ type: CharacteristicType) -> Double? {
        self[type]?.finiteDouble
    }

    /// Returns the integer that a characteristic holds; `nil` if it holds none.
    package func integer(_ type: CharacteristicType) -> Int? {
        self[type]?.coercedInteger
    }

    /// Returns the Boolean that a characteristic holds; `nil` if it holds none.
    package func bool(_ type: CharacteristicType) -> Bool? {
        self[type]?.coercedBool
    }

    /// Changes a value and records the change for the owner; does nothing if the service lacks the characteristic.
    package mutating func set(_ type: CharacteristicType, _ value: CharacteristicValue) {
        guard let index = index(of: type), entries[index].value != value else { return }
        entries[index].value = value
        changed.removeAll { $0 == type }
        changed.append(type)
    }

    /// Changes a value unless the current one is equivalent, such as `true` for 1.
    package mutating func set(_ type: CharacteristicType, integer: Int) {
        guard self.integer(type) != integer else { return }
        set(type, .integer(integer))
    }

    /// Sets the value of a characteristic that has none; does nothing if the service lacks the characteristic.
    package mutating func setDefault(_ type: CharacteristicType, _ value: CharacteristicValue) {
        if let index = index(of: type), entries[index].value == nil {
            set(type, value)
        }
    }

    /// Sets the value of a characteristic that does not hold a Boolean.
    package mutating func setDefault(_ type: CharacteristicType, bool: CharacteristicValue) {
        if self.bool(type) == nil {
            set(type, bool)
        }
    }

    /// Stores a write that the owner also stores, so that it is not a change to report.
    package mutating func store(_ write: BehaviorChange) {
        if let index = index(of: write.type) {
            entries[index].value = write.value
            entries[index].reported = write.value
            changed.removeAll { $0 == write.type }
        } else {
            entries.append(Entry(type: write.type, value: write.value, reported: write.value))
        }
    }

    /// The value of a characteristic that the owner knows.
    ///
    /// Setting an earlier one reports the present value if it differs.
    subscript(known type: CharacteristicType) -> CharacteristicValue? {
        get { index(of: type).flatMap { entries[$0].reported } }
        set {
            guard let index = index(of: type) else { return }
            entries[index].reported = newValue
            changed.removeAll { $0 == type }
            changed.append(type)
        }
    }

    /// Returns the changes that the owner does not know yet, and marks them as known.
    ///
    /// Each characteristic occurs once, with its latest value. A value that has returned to the known one is left out.
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
