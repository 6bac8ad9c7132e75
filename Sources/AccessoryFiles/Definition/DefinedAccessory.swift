internal import AccessoryModel
internal import Documents
internal import HAPCore

/// An accessory of a definition, with where it is from.
struct DefinedAccessory: Sendable {
    /// What it is called.
    var name: String
    /// The accessory.
    var documented: FileAccessory
    /// Its services, with where they are from; the same ones in the same order.
    var services: [DefinedService]
    /// Where it stands.
    var field: DocumentField
    /// Where the id is written.
    var aidField: DocumentField?
}
