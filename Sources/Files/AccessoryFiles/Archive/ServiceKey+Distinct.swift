internal import AccessoryModel

extension ServiceKey {
    /// Returns distinct keys for the services of an accessory.
    ///
    /// Services of the same type are distinguished by their names. If a name is missing or occurs twice, they are
    /// distinguished by their number among the services of the type.
    static func distinct(_ services: [(type: ServiceType, name: String?)]) -> [ServiceKey] {
        var counts: [ServiceType: Int] = [:]
        var names: [ServiceKey: Int] = [:]
        for service in services {
            counts[service.type, default: 0] += 1
            if let name = service.name { names[ServiceKey(service.type, subtype: name), default: 0] += 1 }
        }
        var seen: [ServiceType: Int] = [:]
        return services.map { service in
            seen[service.type, default: 0] += 1
            guard let count = counts[service.type], count > 1 else { return ServiceKey(service.type) }
            if let name = service.name {
                let key = ServiceKey(service.type, subtype: name)
                if names[key] == 1 { return key }
            }
            var number = seen[service.type] ?? 1
            // A service may have a number as its name.
            while names[ServiceKey(service.type, subtype: String(number))] != nil { number += count }
            return ServiceKey(service.type, subtype: String(number))
        }
    }
}

extension [Characteristic] {
    /// The value of Name, or `nil` if it is missing or empty.
    var name: String? {
        guard let name = first(where: { $0.type == .name })?.value?.string, !name.isEmpty else { return nil }
        return name
    }
}

extension FileService {
    /// The value of its Name, or `nil` if it is missing or empty.
    var name: String? {
        self.characteristics.name
    }
}
