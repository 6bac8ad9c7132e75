internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import Simulation

extension DefinedAccessory {
    /// A placeholder for the name of an accessory that has none.
    ///
    /// Such an accessory is refused.
    static let placeholderName = "Accessory"

    /// The key that identifies the accessory.
    var key: String { id?.value ?? name?.value ?? Self.placeholderName }

    /// The accessory in the form of a file's content.
    var fileAccessory: FileAccessory {
        let services = services.map { service in
            var file = service.fileService
            file.iid = service.iid?.value
            file.characteristics = service.characteristics.map(\.characteristic)
            return file
        }
        return FileAccessory(key: key, services: services, aid: aid?.value, driver: driver?.value)
    }

    /// Adds everything that follows from the definition; a verbatim accessory is not changed.
    ///
    /// - Parameter isFixed: Whether an object without an id permanently gets the next one. The accessory's own setting
    ///   takes precedence.
    mutating func complete(as role: Role, isFixed: Bool, isVerbatim: Bool, _ reader: inout DocumentReader) {
        if key.hasPrefix("#retired/") {
            let location = (id ?? name)?.location ?? location
            reader.report(at: location, "ids that begin with #retired/ are reserved; write another id")
        }
        if role == .included { driver?.value.isIncluded = true }
        checkDriver(&reader)
        if role == .included { services.removeAll { $0.type == .protocolInformation } }
        for position in services.indices {
            services[position].complete(isVerbatim: isVerbatim, &reader)
        }
        if !isVerbatim {
            addInformation(role, &reader)
            let limit = AttributeDatabase.maximumServices
            if services.count > limit {
                reader.report(
                    at: servicesLocation ?? location,
                    "\(services.count) services are too many; list at most \(limit)"
                )
                services = Array(services.prefix(limit))
            }
            if let second = services.filter(\.fileService.isPrimary).dropFirst().first {
                reader.report(
                    at: second.location,
                    "another service is also primary; remove \"primary\" from one of them"
                )
            }
        }
        services.assignKeys(isVerbatim: isVerbatim, &reader)
        services.assignNumbers(isFixed: self.numbersAreFixed ?? isFixed, isVerbatim: isVerbatim, &reader)
    }

    /// Reports a driver that does not fit the services, and services that it owns and that are simulated nevertheless.
    private func checkDriver(_ reader: inout DocumentReader) {
        guard let driver, let definition = driver.value.definition else { return }
        let type = definition.type(among: services.map(\.type))
        let own = services.filter { $0.type == type }
        if let second = own.dropFirst().first {
            reader.report(
                at: second.location,
                "the driver \(definition.name) is for one service; move this one to an accessory of its own"
            )
        } else if own.isEmpty, !definition.services.isEmpty {
            let names = definition.services.map(\.description).joined(separator: " or ")
            reader.report(
                at: driver.location ?? location,
                "the driver \(definition.name) is for \(names); add such a service, or choose another driver"
            )
        }
        for service in services where definition.owns(service.type) {
            guard let simulation = service.simulation, simulation.node.scalar?.text != "none" else { continue }
            reader.report(
                simulation,
                "the driver \(definition.name) answers for this service; remove \"simulate\", or the driver"
            )
        }
    }

    /// Adds the two standard services of an accessory or a server at the front, with the properties of the accessory.
    private mutating func addInformation(_ role: Role, _ reader: inout DocumentReader) {
        let texts: [CharacteristicType: Located<String>?] = [
            .name: name, .manufacturer: manufacturer, .model: model,
            .serialNumber: serialNumber, .firmwareRevision: firmware,
        ]
        let information = DefinitionDefaults.information(
            name: name?.value ?? Self.placeholderName,
            key: key,
            of: services.lazy.map(\.type),
            isBridge: role == .bridge
        ) { (texts[$0] ?? nil)?.value }
        if !services.contains(where: { $0.type == .accessoryInformation }) {
            services.insert(DefinedService(location: location), at: 0)
        }
        for position in services.indices where services[position].type == .accessoryInformation {
            services[position].addInformation(information, texts, location, &reader)
        }
        let first = services.firstIndex { $0.type == .accessoryInformation } ?? 0
        if role == .standalone || role == .bridge, !services.contains(where: { $0.type == .protocolInformation }) {
            let file = FileService(Service.protocolInformation().description)
            let characteristics = file.characteristics.map {
                DefinedCharacteristic(characteristic: $0, location: location)
            }
            let added = DefinedService(fileService: file, characteristics: characteristics, location: location)
            services.insert(added, at: first + 1)
        }
    }
}

extension DefinedService {
    /// Adds everything to the service that follows from the definition.
    fileprivate mutating func complete(isVerbatim: Bool, _ reader: inout DocumentReader) {
        let listed = characteristics.first { $0.type == .name }
        if let name {
            let location = name.location ?? location
            if type == .accessoryInformation {
                reader.report(
                    at: location,
                    "the name of the accessory does not belong here; write it under \"accessory\""
                )
                self.name = nil
            } else if let listed {
                reader.report(
                    at: location,
                    "the name is written under \(listed.name?.quotedForDisplay ?? "Name"), too; remove one of them"
                )
                self.name = nil
            } else {
                let characteristic = Characteristic(cataloged: .name, value: .string(name.value))
                let defined = DefinedCharacteristic(characteristic: characteristic, location: location)
                characteristics.insert(defined, at: 0)
            }
        } else {
            self.name = listed?.characteristic.value?.string.map { Located($0) }
        }
        if isComplete, !isVerbatim, type != .accessoryInformation {
            let listed = characteristics.map(\.characteristic)
            characteristics += DefinitionDefaults.addedCharacteristics(for: type, listed: listed)
                .map { DefinedCharacteristic(characteristic: $0, location: location) }
        }
        if let simulation, let choice = reader.simulation(simulation, of: type, characteristics) {
            fileService.simulation = choice
        }
    }

    /// Adds the accessory's properties to Accessory Information, before the characteristics that it lists.
    fileprivate mutating func addInformation(
        _ information: Service,
        _ texts: [CharacteristicType: Located<String>?],
        _ location: SourceLocation,
        _ reader: inout DocumentReader
    ) {
        var added: [DefinedCharacteristic] = []
        for implied in information.characteristics {
            let text = (texts[implied.type] ?? nil)?.location
            let position = characteristics.firstIndex { $0.type == implied.type }
            guard let position else {
                added.append(DefinedCharacteristic(characteristic: implied, location: text ?? location))
                continue
            }
            let listed = characteristics[position]
            if !listed.hasValue {
                characteristics[position].characteristic.value = implied.value
            } else if implied.type != .name, let text {
                let path = (listed.valueLocation ?? listed.location).path
                reader.report(at: text, "\(path) sets this, too; remove one of them")
            }
        }
        characteristics = added + characteristics
        iid = iid ?? Located(.accessoryInformation)
    }
}
