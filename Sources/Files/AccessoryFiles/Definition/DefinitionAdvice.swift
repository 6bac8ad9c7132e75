internal import AccessoryModel
internal import Documents
internal import HomeModel

extension DocumentReader {
    /// Adds warnings for content that a server can serve, but that Apple Home does not accept or show.
    mutating func advise(on accessories: [DefinedAccessory]) {
        for accessory in accessories {
            if let name = accessory.name { advise(onName: name, at: accessory.location) }
            for service in accessory.services {
                if let name = service.name, service.type != .accessoryInformation, !service.fileService.isHidden {
                    advise(onName: name, at: service.location)
                }
                advise(onCharacteristicsOf: service)
            }
        }
    }

    /// Adds a warning for a name that breaks HomeKit's rules for names.
    private mutating func advise(onName name: Located<String>, at parent: SourceLocation) {
        // A service without a name is allowed.
        guard !name.value.isEmpty else { return }
        do throws(HomeError) {
            _ = try ObjectName(name.value)
        } catch {
            let sentence = error.reason.hasSuffix(".") ? error.reason.dropLast() : error.reason[...]
            let reason = sentence.prefix(1).lowercased() + sentence.dropFirst()
            let remedy = ObjectName(cleaning: name.value).map { "; write \($0.text.quotedForDisplay)" } ?? ""
            warn(at: name.location ?? parent, "Apple Home rejects this name: \(reason)\(remedy)")
        }
    }

    /// Adds warnings for Apple's characteristics that the type of the service does not have in Apple's catalog.
    private mutating func advise(onCharacteristicsOf service: DefinedService) {
        guard let definition = Catalog.service(service.type) else { return }
        let known = Set(definition.required + definition.optional + [.name])
        for characteristic in service.characteristics
        where characteristic.name != nil && !known.contains(characteristic.type) {
            guard let foreign = Catalog.characteristic(characteristic.type) else { continue }
            warn(
                at: characteristic.location,
                "\(definition.name) has no \(foreign.name) in Apple's catalog, so Apple Home ignores it; "
                    + "remove it, or move it to a service that has it"
            )
        }
    }
}

extension [DefinedAccessory] {
    /// The number of characteristics that are required but not written in the file.
    var addedCharacteristicCount: Int {
        reduce(0) { sum, accessory in
            accessory.services.reduce(sum) { sum, service in
                // The key "name" of a service is written in the file, and becomes a characteristic.
                let isNamed = service.name != nil && service.type != .accessoryInformation
                return sum
                    + service.characteristics.count { $0.name == nil && !($0.type == .name && isNamed) }
            }
        }
    }
}
