package import HAPCore

/// A characteristic's change on its way to one connection.
package struct PendingEvent: Sendable, Hashable {
    package let id: CharacteristicID
    /// `nil` when the value could not be read.
    package var value: CharacteristicValue?

    package init(id: CharacteristicID, value: CharacteristicValue?) {
        self.id = id
        self.value = value
    }
}
