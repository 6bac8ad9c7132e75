internal import HomeModel

/// An area of several rooms, such as "upstairs".
open class HMZone: NSObject, HomeKitObject, @unchecked Sendable {
    let modelReference: ModelReference<Zone>?

    init(_ modelReference: ModelReference<Zone>) {
        self.modelReference = modelReference
        super.init()
    }

    var removableReference: (any RemovableReference)? { modelReference }

    /// The name, unique among the rooms and zones of the home.
    open var name: String { modelReference?.model.name.text ?? "" }

    /// The UUID, which does not change.
    open var uniqueIdentifier: UUID {
        UUID(modelReference.map { Home.uuid(of: $0.model.id, in: $0.home) })
    }

    /// The rooms of the zone.
    open var rooms: [HMRoom] {
        guard let modelReference else { return [] }
        return modelReference.model.rooms.compactMap { modelReference.context.room($0, of: modelReference.home) }
    }

    /// Renames the zone.
    open func updateName(_ name: String, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        renaming(to: name).report(to: completionHandler)
    }

    /// Renames the zone.
    open func updateName(_ name: String) async throws { try await renaming(to: name).value }

    private func renaming(to name: String) -> PendingResult<Void> {
        modelReference.rename(to: name, \.name) { home, known, name throws(HomeError) in
            try home.renameZone(known.id, to: name)
        }
    }

    /// Adds a room to the zone.
    ///
    /// Errors: `roomForHomeCannotBeInZone`, `alreadyExists`, `objectAssociatedToAnotherHome`.
    open func addRoom(_ room: HMRoom, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        adding(room).report(to: completionHandler)
    }

    /// Adds a room to the zone.
    open func addRoom(_ room: HMRoom) async throws { try await adding(room).value }

    private func adding(_ room: HMRoom) -> PendingResult<Void> {
        modelReference.with(\.id, room.modelReference, \.id) { modelReference, zone, room in
            modelReference.edit { home throws(HomeError) in try home.addRoom(room, to: zone) }
        }
    }

    /// Removes a room from the zone; the room stays in the home.
    open func removeRoom(_ room: HMRoom, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        removing(room).report(to: completionHandler)
    }

    /// Removes a room from the zone; the room stays in the home.
    open func removeRoom(_ room: HMRoom) async throws { try await removing(room).value }

    private func removing(_ room: HMRoom) -> PendingResult<Void> {
        modelReference.with(\.id, room.modelReference, \.id) { modelReference, zone, room in
            modelReference.edit { home throws(HomeError) in try home.removeRoom(room, from: zone) }
        }
    }
}
