package import AccessoryModel
package import HAPCore

extension HomeAccessory {
    /// Whether it is no more than what a file says of it: nobody has seen it yet.
    package var isPlaceholder: Bool {
        reference == nil || services.allSatisfy { $0.iid == nil }
    }
}

extension Home {
    /// Says that an accessory, which a file has named, is found: where it is, and what it has become.
    ///
    /// - Parameter bridge: What it is behind; `nil` leaves that as it is.
    /// - Throws: ``HomeError``, as ``setReference(_:of:)`` and ``updateAccessory(_:to:)`` do; the home stays as it was.
    package mutating func resolvePlaceholder(
        _ id: ObjectID<HomeAccessory>,
        at reference: AccessoryReference,
        as announced: RemoteAccessory,
        behind bridge: ObjectID<HomeAccessory>? = nil
    ) throws(HomeError) -> [EditEffect] {
        var changed = self
        let index = try changed.accessoryIndex(id)
        changed.accessories[index].bridge = bridge ?? changed.accessories[index].bridge
        try changed.setReference(reference, of: id)
        let consequences = try changed.updateAccessory(id, to: announced)
        self = changed
        return consequences
    }
}
