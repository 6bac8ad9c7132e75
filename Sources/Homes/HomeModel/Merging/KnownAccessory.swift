package import AccessoryModel

/// An accessory on the network or in a definition, with the name that home files use for it.
package struct KnownAccessory: Sendable, Hashable {
    /// The alias of its pairing, or its own name if it is behind a bridge or served from a definition.
    package var name: String
    /// The name of its bridge, as in the bridge's own ``name``.
    package var bridge: String?
    /// The location on the network, or `nil` if the accessory is described but was not found.
    package var reference: AccessoryReference?
    /// The services and characteristics.
    package var announced: RemoteAccessory

    /// Creates a known accessory.
    package init(
        name: String,
        bridge: String? = nil,
        reference: AccessoryReference? = nil,
        announced: RemoteAccessory
    ) {
        self.name = name
        self.bridge = bridge
        self.reference = reference
        self.announced = announced
    }
}
