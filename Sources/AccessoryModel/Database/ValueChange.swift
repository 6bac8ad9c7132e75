package import HAPCore

/// What became of one characteristic's value in the course of one request, command or tick.
package struct ValueChange: Sendable, Hashable {
    /// Where the characteristic stands in the database.
    package let index: Int
    package let id: CharacteristicID
    /// The value before all of it.
    package let previous: CharacteristicValue?
    /// The value after all of it.
    package var value: CharacteristicValue?
    /// What the writer wrote; `nil` when this is a consequence.
    package var written: CharacteristicValue?
    /// Whether it counts even when the value repeats.
    package let isButton: Bool

    /// Whether subscribers other than the writer are told.
    package var concernsEveryone: Bool {
        isButton || value != previous
    }

    /// Whether the writer is told: only of what it does not know.
    ///
    /// HAP: §14, §0 (withheld from the writer)
    package var concernsWriter: Bool {
        written == nil ? concernsEveryone : value != written
    }
}
