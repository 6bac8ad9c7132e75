internal import AccessoryModel
internal import Documents
internal import HAPCore

/// A resolver that replaces names in a file with ids of a home; ``NameResolver`` is its inverse.
struct IDResolver {
    /// The errors found so far.
    var diagnostics: MergeDiagnostics
    /// The object whose names are resolved, for errors.
    var owner = ObjectName.entireHome
    /// The scenes that automations may run.
    var scenes: ObjectNames<HomeScene>
    /// The names of accessories and services.
    let serviceNames: ServiceNameIndex
    private let users: ObjectNames<HomeUser>
    /// The services of missing accessories, which may have more characteristics.
    private let missing: Set<ObjectID<HomeService>>
    private let hasUnknownServices: Bool

    init(_ home: Home, _ accessories: MergedAccessories, _ diagnostics: MergeDiagnostics) {
        self.diagnostics = diagnostics
        self.diagnostics.home = home.name
        scenes = ObjectNames(home.scenes)
        users = ObjectNames(home.users)
        serviceNames = ServiceNameIndex(home)
        let missing = home.accessories.filter { accessories.isMissing($0) }
        self.missing = Set(missing.lazy.flatMap(\.services).map(\.id))
        hasUnknownServices = accessories.hasUnknownServices
    }

    /// Returns the service with a name, and reports an error if there is none.
    mutating func service(_ name: Located<String>) -> HomeService? {
        if let id = serviceNames.service(name.value) { return serviceNames.services[id] }
        reportUnknown(service: name)
        return nil
    }

    /// Reports an unknown service, or only a pending part if the service may belong to a missing accessory.
    private mutating func reportUnknown(service name: Located<String>) {
        var error = diagnostics.unknown("service", name.value, among: serviceNames.names)
        error.path = diagnostics.path(owner)
        if hasUnknownServices {
            diagnostics.addPending(name.location, error)
        } else {
            diagnostics.report(name.location, error)
        }
    }
}

extension IDResolver: HomeResolver {
    typealias From = HomeNames
    typealias To = HomeIDs

    mutating func scene(_ reference: Located<String>) -> ObjectID<HomeScene>? {
        diagnostics.find(reference, in: scenes)
    }

    mutating func user(_ reference: Located<String>) -> ObjectID<HomeUser>? {
        diagnostics.find(reference, in: users)
    }

    mutating func characteristic(_ reference: Located<String>) -> CharacteristicSelector? {
        switch serviceNames.characteristic(reference.value) {
        case .characteristic(let selector):
            return selector
        case .noService(let text):
            guard reference.value.contains("/") else {
                let reason = "\(ObjectName.quoted(reference.value)) is not a property of a service."
                let remedy = "Write Service/Property, such as Garage Light/On."
                diagnostics.report(
                    reference.location,
                    HomeError(.noSuchCharacteristic, at: diagnostics.path(owner), reason, remedy: remedy)
                )
                return nil
            }
            reportUnknown(service: Located(text, at: reference.location))
            return nil
        case .noCharacteristic(let service, let text):
            let error = HomeError.noSuchCharacteristic(
                text,
                of: service,
                at: diagnostics.path(owner),
                &diagnostics.spelling
            )
            if missing.contains(service.id) {
                diagnostics.addPending(reference.location, error)
            } else {
                diagnostics.report(reference.location, error)
            }
            return nil
        }
    }

    mutating func value(
        _ value: Located<String>,
        of characteristic: Located<String>,
        as resolved: CharacteristicSelector
    ) -> CharacteristicValue? {
        guard let known = serviceNames.services[resolved.service]?.characteristic(resolved.type) else { return nil }
        if let found = known.base.value(of: value.value) { return found }
        diagnostics.report(value.location, .invalidValue(value.value, of: known, at: diagnostics.path(owner)))
        return nil
    }

    /// Resolves actions, and reports those that are invalid, are duplicates, or need a missing accessory.
    mutating func actions(_ actions: [Action<HomeNames>]) -> [HomeAction]? {
        var found: [HomeAction] = []
        var seen: Set<CharacteristicSelector> = []
        for action in actions {
            guard let resolved = action.resolved(by: &self) else { continue }
            let service = serviceNames.services[resolved.characteristic.service]
            if let error = Home.violation(of: resolved, on: service, at: diagnostics.path(owner)) {
                diagnostics.report(
                    error.code == .invalidValue ? action.value.location : action.characteristic.location,
                    error
                )
            } else if !seen.insert(resolved.characteristic).inserted {
                let name = service?.characteristic(resolved.characteristic.type)?.displayName ?? ""
                diagnostics.report(
                    action.characteristic.location,
                    .duplicateAction(name, of: service?.name.text ?? "", at: diagnostics.path(owner))
                )
            } else {
                found.append(resolved)
            }
        }
        return found
    }
}
