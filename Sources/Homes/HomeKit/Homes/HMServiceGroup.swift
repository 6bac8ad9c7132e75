internal import HomeModel

/// Services that are controlled together, such as "reading lamps".
open class HMServiceGroup: NSObject, HomeKitObject, @unchecked Sendable {
    let modelReference: ModelReference<ServiceGroup>?

    init(_ modelReference: ModelReference<ServiceGroup>) {
        self.modelReference = modelReference
        super.init()
    }

    var removableReference: (any RemovableReference)? { modelReference }

    /// The name, unique among the groups and the services that people see.
    open var name: String { modelReference?.model.name.text ?? "" }

    /// The UUID, which does not change.
    open var uniqueIdentifier: UUID {
        UUID(modelReference.map { Home.uuid(of: $0.model.id, in: $0.home) })
    }

    /// The services of the group.
    open var services: [HMService] {
        guard let modelReference else { return [] }
        return modelReference.model.services.compactMap { modelReference.context.service($0, of: modelReference.home) }
    }

    /// Renames the group.
    open func updateName(_ name: String, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        renaming(to: name).report(to: completionHandler)
    }

    /// Renames the group.
    open func updateName(_ name: String) async throws { try await renaming(to: name).value }

    private func renaming(to name: String) -> PendingResult<Void> {
        modelReference.rename(to: name, \.name) { home, known, name throws(HomeError) in
            try home.renameServiceGroup(known.id, to: name)
        }
    }

    /// Adds a service to the group.
    ///
    /// Errors: `alreadyExists`, `objectAssociatedToAnotherHome`.
    open func addService(_ service: HMService, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        adding(service).report(to: completionHandler)
    }

    /// Adds a service to the group.
    open func addService(_ service: HMService) async throws { try await adding(service).value }

    private func adding(_ service: HMService) -> PendingResult<Void> {
        modelReference.with(\.id, service.modelReference, \.id) { modelReference, group, service in
            modelReference.edit { home throws(HomeError) in try home.addService(service, to: group) }
        }
    }

    /// Removes a service from the group.
    open func removeService(_ service: HMService, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        removing(service).report(to: completionHandler)
    }

    /// Removes a service from the group.
    open func removeService(_ service: HMService) async throws { try await removing(service).value }

    private func removing(_ service: HMService) -> PendingResult<Void> {
        modelReference.with(\.id, service.modelReference, \.id) { modelReference, group, service in
            modelReference.edit { home throws(HomeError) in try home.removeService(service, from: group) }
        }
    }
}
