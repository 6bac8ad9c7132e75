internal import AccessoryModel

/// The services of an accessory by everything that a link may name them by.
struct DefinedServiceIndex: Sendable {
    private var keys: [ServiceKey: [ServiceKey]] = [:]
    private var ids: [String: [ServiceKey]] = [:]
    private var names: [String: [ServiceKey]] = [:]
    private var types: [ServiceType: [ServiceKey]] = [:]

    /// Takes the key of each service with the id and the name that are written.
    init(_ services: some Sequence<(key: ServiceKey, id: String?, name: String?)>) {
        for service in services {
            keys[service.key, default: []].append(service.key)
            types[service.key.type, default: []].append(service.key)
            if let id = service.id { ids[id, default: []].append(service.key) }
            if let name = service.name { names[name, default: []].append(service.key) }
        }
    }

    /// The services with this key; several when the file is wrong.
    func services(_ key: ServiceKey) -> [ServiceKey] {
        keys[key] ?? []
    }

    /// The services that a text means: those with this id, else with this name, else of the type.
    func services(meantBy text: String, type: @autoclosure () -> ServiceType?) -> [ServiceKey] {
        ids[text] ?? names[text] ?? type().flatMap { types[$0] } ?? []
    }
}
