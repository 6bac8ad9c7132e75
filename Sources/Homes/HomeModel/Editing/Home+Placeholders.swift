package import AccessoryModel
internal import HAPCore

extension HomeAccessory {
    /// Whether the accessory is known only from a file and was not found yet.
    package var isPlaceholder: Bool {
        reference == nil || services.allSatisfy { $0.iid == nil }
    }
}

extension Home {
    /// Turns a placeholder into an accessory that was found: sets its location and updates its services.
    ///
    /// - Parameter bridge: The bridge of the accessory; `nil` leaves it unchanged.
    /// - Throws: ``HomeError``, as ``setReference(_:of:)`` and ``updateAccessory(_:to:)`` do. The home is then
    ///   unchanged.
    package mutating func resolvePlaceholder(
        _ id: ObjectID<HomeAccessory>,
        at reference: AccessoryReference,
        as announced: RemoteAccessory,
        behind bridge: ObjectID<HomeAccessory>? = nil
    ) throws(HomeError) -> [EditEffect] {
        var changed = self
        let index = try index(of: id, in: accessories)
        changed.accessories[index].bridge = bridge ?? changed.accessories[index].bridge
        try changed.setReference(reference, of: id)
        let consequences = try changed.updateAccessory(id, to: announced)
        self = changed
        return consequences
    }
}
