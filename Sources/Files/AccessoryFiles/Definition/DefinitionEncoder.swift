internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import Simulation

/// Finds the shortest definition of a document.
struct DefinitionEncoder {
    private let document: AccessoryDocument
    /// Whether every object has an id, so that consecutive ids can be omitted.
    private let numbersAreFixed: Bool

    /// Returns the top-level keys of a document.
    static func members(of document: AccessoryDocument) -> [DocumentTree.Member] {
        let encoder = DefinitionEncoder(document)
        return DefinedAccessory.format(of: encoder.isBridge ? .bridge : .standalone, isVerbatim: document.isVerbatim)
            .write(encoder.mainAccessory).members
    }

    private init(_ document: AccessoryDocument) {
        self.document = document
        numbersAreFixed = document.accessories.allSatisfy { accessory in
            accessory.aid != nil
                && accessory.services.allSatisfy { service in
                    service.iid != nil && service.characteristics.allSatisfy { $0.iid != nil }
                }
        }
    }

    private var isBridge: Bool {
        document.accessories.count > 1
    }

    private var mainAccessory: DefinedAccessory {
        let main = document.accessories.first ?? FileAccessory(key: document.key, services: [])
        var numbers = DefinitionIDEncoder(isFixed: numbersAreFixed, isVerbatim: document.isVerbatim)
        var defined = defined(main, name: document.name, isMain: true, &numbers)
        let type = DefinitionDefaults.mainType(of: main.services.lazy.map(\.key.type))
        let category = isBridge ? .bridge : AccessoryCategory(primaryServiceType: type)
        defined.serverID = document.key == main.key ? nil : Located(document.key)
        defined.category = document.category == category ? nil : document.category
        defined.setupCode = document.setupCode
        defined.setupID = document.setupID
        defined.deviceID = document.deviceID
        defined.configurationNumber = document.configurationNumber
        defined.numbersAreFixed = numbersAreFixed ? true : nil
        defined.verbatim = document.isVerbatim ? Located(true) : nil
        defined.accessories = document.accessories.dropFirst()
            .map { accessory in
                let name = document.isVerbatim ? nil : accessory.text(of: .name).flatMap { $0.isEmpty ? nil : $0 }
                return self.defined(accessory, name: name ?? accessory.key, isMain: false, &numbers)
            }
        return defined
    }

    /// Returns the definition of an accessory.
    private func defined(
        _ accessory: FileAccessory,
        name: String,
        isMain: Bool,
        _ numbers: inout DefinitionIDEncoder
    ) -> DefinedAccessory {
        var defined = DefinedAccessory()
        defined.name = Located(name)
        defined.id = accessory.key == name ? nil : Located(accessory.key)
        defined.aid = numbers.documentID(accessory.aid).map { Located($0) }
        defined.driver = accessory.driver.map { Located($0) }
        let isBridge = isMain && isBridge
        let types = accessory.services.lazy.map(\.key.type)
        func information(_ text: (CharacteristicType) -> String?) -> Service {
            DefinitionDefaults.information(name: name, key: accessory.key, of: types, isBridge: isBridge, text: text)
        }
        if !document.isVerbatim {
            let standard = information { _ in nil }
            func written(_ type: CharacteristicType) -> Located<String>? {
                let text = accessory.text(of: type)
                return text == standard.text(of: type) ? nil : text.map { Located($0) }
            }
            defined.manufacturer = written(.manufacturer)
            defined.model = written(.model)
            defined.serialNumber = written(.serialNumber)
            defined.firmware = written(.firmwareRevision)
        }
        let implied = information { accessory.text(of: $0) }
        defined.services = services(of: accessory, implied, isMain: isMain)
        return defined
    }

    private func services(
        of accessory: FileAccessory,
        _ information: Service,
        isMain: Bool
    ) -> [DefinedService] {
        var numbers = DefinitionIDEncoder(
            isFixed: numbersAreFixed,
            isVerbatim: document.isVerbatim,
            services: accessory.services
        )
        let encoder = DefinitionServiceEncoder(accessory.services, isVerbatim: document.isVerbatim)
        return accessory.services.indices.compactMap { position in
            let service = accessory.services[position]
            let ids = numbers.documentIDs(service)
            guard !document.isVerbatim else { return encoder.service(at: position, ids: ids) }
            if service.key.type == .accessoryInformation {
                return encoder.information(at: position, ids: ids, implied: information)
            }
            let isBehindInformation =
                position > 0 && accessory.services[position - 1].key.type == .accessoryInformation
            let isImplied =
                isMain && isBehindInformation && ids.areImplied
                && service.withoutIDs == FileService(Service.protocolInformation().description)
            return isImplied ? nil : encoder.service(at: position, ids: ids)
        }
    }
}

extension FileAccessory {
    /// Returns the text of this type in Accessory Information, or `nil` if it is missing.
    fileprivate func text(of type: CharacteristicType) -> String? {
        let information = services.first { $0.key.type == .accessoryInformation }
        return information?.characteristics.first { $0.type == type }?.value?.string
    }
}

extension Service {
    fileprivate func text(of type: CharacteristicType) -> String? {
        self.characteristics.first { $0.type == type }?.value?.string
    }
}

extension FileService {
    /// The service without the ids of its objects.
    fileprivate var withoutIDs: FileService {
        var service = self
        service.iid = nil
        service.characteristics = self.characteristics.map { $0.with(iid: nil) }
        return service
    }
}

extension Characteristic {
    /// Returns the characteristic with another id, or without one.
    func with(iid: InstanceID?) -> Characteristic {
        var characteristic = self
        characteristic.iid = iid
        return characteristic
    }
}
