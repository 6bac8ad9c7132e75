internal import AccessoryModel
internal import HAPCore
internal import HomeModel
internal import Synchronization

/// A function of an accessory, such as the garage door or the light in it.
open class HMService: NSObject, HomeKitObject, @unchecked Sendable {
    let modelReference: ModelReference<HomeService>?
    private let ownIdentifier = UUID()
    /// The characteristics of a service that was removed.
    private let lastCharacteristics = Mutex<[HMCharacteristic]?>(nil)

    init(_ modelReference: ModelReference<HomeService>) {
        self.modelReference = modelReference
        super.init()
    }

    /// Creates a service of no accessory, for a subclass in a test.
    @available(*, deprecated, message: "Only tests need it; services come from an accessory.")
    public override init() {
        modelReference = nil
        super.init()
    }

    var removableReference: (any RemovableReference)? { modelReference }

    func willBeRemoved() {
        let characteristics = characteristics
        lastCharacteristics.withLock { $0 = characteristics }
    }

    /// The name, unique among the groups and the services that people see.
    open var name: String { modelReference?.model.name.text ?? "" }

    /// The UUID, which does not change as long as the accessory has the service.
    open var uniqueIdentifier: UUID {
        guard let modelReference else { return ownIdentifier }
        return UUID(Home.uuid(of: modelReference.model.id, in: modelReference.home))
    }

    /// The accessory; `nil` after it was removed.
    open var accessory: HMAccessory? {
        guard let modelReference, let accessory = modelReference.snapshot?.index.accessory(of: modelReference.model.id)
        else { return nil }
        return modelReference.context.accessory(accessory.id, of: modelReference.home)
    }

    /// The type: one of the constants `HMServiceType…`, or the UUID of a vendor's type, in capital letters.
    open var serviceType: String { modelReference?.model.type.uuid.description ?? "" }
    /// The type in words, in English; the UUID of a vendor's type.
    open var localizedDescription: String { modelReference?.model.type.description ?? "" }
    /// The type that an outlet or a switch counts as, or `nil` if it counts as itself.
    open var associatedServiceType: String? { modelReference?.model.associatedType?.uuid.description }

    /// The characteristics, in the order of the accessory.
    open var characteristics: [HMCharacteristic] {
        if let lastCharacteristics = lastCharacteristics.withLock(\.self) { return lastCharacteristics }
        guard let modelReference else { return [] }
        let service = modelReference.model
        return service.characteristics.compactMap { characteristic in
            let selector = CharacteristicSelector(service: service.id, type: characteristic.type)
            return modelReference.context.characteristic(selector, of: modelReference.home)
        }
    }

    /// Whether people see the service.
    open var isUserInteractive: Bool { modelReference?.model.isVisible ?? false }
    /// Whether this is the main service of the accessory.
    open var isPrimaryService: Bool { modelReference?.model.isPrimary ?? false }

    /// The services that belong to this one; `nil` if there are none.
    open var linkedServices: [HMService]? {
        guard let linked = modelReference?.model.linked, !linked.isEmpty else { return nil }
        let services = accessory?.services.filter { $0.modelReference?.model.iid.map(linked.contains) ?? false } ?? []
        return services.isEmpty ? nil : services
    }

    /// Always `nil`: Matter is not supported.
    open var matterEndpointID: UInt16? { nil }

    /// Renames the service in the home only; nothing is sent to the accessory.
    open func updateName(_ name: String, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        renaming(to: name).report(to: completionHandler)
    }

    /// Renames the service in the home only; nothing is sent to the accessory.
    open func updateName(_ name: String) async throws { try await renaming(to: name).value }

    private func renaming(to name: String) -> PendingResult<Void> {
        modelReference.rename(to: name, \.name) { home, known, name throws(HomeError) in
            try home.renameService(known.id, to: name)
        }
    }

    /// Changes the type that an outlet or a switch counts as; `nil` for its own.
    ///
    /// Errors: `invalidAssociatedServiceType` for a type that is not a lamp, a fan, an outlet or a switch, and for a service
    /// that is neither an outlet nor a switch.
    open func updateAssociatedServiceType(
        _ serviceType: String?,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        associating(with: serviceType).report(to: completionHandler)
    }

    /// Changes the type that an outlet or a switch counts as; `nil` for its own.
    open func updateAssociatedServiceType(_ serviceType: String?) async throws {
        try await associating(with: serviceType).value
    }

    private func associating(with type: String?) -> PendingResult<Void> {
        guard let modelReference, let current = modelReference.current else { return PendingResult(failure: .removed) }
        let parsed = type.map { HAPUUID($0) }
        if case .some(nil) = parsed {
            return PendingResult(
                failure: HMError(
                    .invalidAssociatedServiceType,
                    "\"\((type ?? "").prefix(64))\" is not a UUID. Use a constant HMServiceType…."
                )
            )
        }
        let associated = parsed.flatMap(\.self).map { ServiceType($0) }
        return modelReference.edit { home throws(HomeError) in try home.setAssociatedType(associated, of: current.id) }
    }
}
