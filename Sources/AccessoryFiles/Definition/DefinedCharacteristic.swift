internal import AccessoryModel
internal import Documents

/// A characteristic of a definition, with where it is from.
struct DefinedCharacteristic: Sendable {
    /// The characteristic.
    var characteristic: Characteristic
    /// Its key in the file; `nil` for one that is not written there.
    var name: String?
    /// Where it stands, or what it follows from.
    var field: DocumentField
    /// Where its value is written, if it has a place of its own.
    var valueField: DocumentField?
    /// Where its id is written.
    var iidField: DocumentField?
    /// Whether its value is written.
    var hasValue = true
}
