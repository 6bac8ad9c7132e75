package import AccessoryModel
package import HAPCore

/// An accessory that is on the network or in a definition, by the name under which a home file speaks of it.
package struct KnownAccessory: Sendable, Hashable {
    /// The alias of its pairing, or its own name when it is behind a bridge or served from a definition.
    package var name: String
    /// The name of the bridge that it is behind, as ``name`` has it there.
    package var bridge: String?
    /// Where it is; `nil` for one that is described and not found.
    package var reference: AccessoryReference?
    /// What kind of thing it is; `nil` when it does not say.
    package var category: AccessoryCategory?
    /// What it is made of.
    package var announced: RemoteAccessory

    /// Creates one.
    package init(
        name: String,
        bridge: String? = nil,
        reference: AccessoryReference? = nil,
        category: AccessoryCategory? = nil,
        announced: RemoteAccessory
    ) {
        self.name = name
        self.bridge = bridge
        self.reference = reference
        self.category = category
        self.announced = announced
    }
}
