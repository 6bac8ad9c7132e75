internal import HomeModel

/// A room of a home.
open class HMRoom: NSObject, HomeKitObject, @unchecked Sendable {
    let modelReference: ModelReference<Room>?

    init(_ modelReference: ModelReference<Room>) {
        self.modelReference = modelReference
        super.init()
    }

    override init() {
        modelReference = nil
        super.init()
    }

    var removableReference: (any RemovableReference)? { modelReference }

    /// The name, unique among the rooms and zones of the home.
    open var name: String { modelReference?.model.name.text ?? "" }

    /// The UUID, which does not change.
    open var uniqueIdentifier: UUID {
        UUID(modelReference.map { Home.uuid(of: $0.model.id, in: $0.home) })
    }

    /// The accessories in the room.
    open var accessories: [HMAccessory] {
        guard let modelReference, let home = modelReference.snapshot?.home else { return [] }
        let id = modelReference.model.id
        return home.accessories.filter { $0.room == id }
            .compactMap { modelReference.context.accessory($0.id, of: home.id) }
    }

    /// Renames the room.
    open func updateName(_ name: String, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        renaming(to: name).report(to: completionHandler)
    }

    /// Renames the room.
    open func updateName(_ name: String) async throws { try await renaming(to: name).value }

    private func renaming(to name: String) -> PendingResult<Void> {
        modelReference.rename(to: name, \.name) { home, known, name throws(HomeError) in
            try home.renameRoom(known.id, to: name)
        }
    }
}
