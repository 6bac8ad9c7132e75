internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import Simulation

/// Finds the shortest definition of a document.
struct DefinitionEncoder {
    private let document: AccessoryDocument
    /// Whether every object has an id, so that those need not be written which are the next ones.
    private let isFixed: Bool

    /// What stands in the file.
    static func members(of document: AccessoryDocument) -> [DocumentTree.Member] {
        DefinitionEncoder(document).members
    }

    private init(_ document: AccessoryDocument) {
        self.document = document
        isFixed = document.accessories.allSatisfy { accessory in
            accessory.aid != nil
                && accessory.services.allSatisfy { service in
                    service.iid != nil && service.characteristics.allSatisfy { $0.iid != nil }
                }
        }
    }

    private var isBridge: Bool {
        document.accessories.count > 1
    }

    private var members: [DocumentTree.Member] {
        let main = document.accessories.first ?? FileAccessory(key: document.key, services: [])
        var numbers = DefinitionNumbers(isFixed: isFixed, isVerbatim: document.isVerbatim)
        var members = head(of: main)
        let standard =
            isBridge
            ? .bridge
            : AccessoryCategory(following: DefinitionStandard.mainType(of: main.services.lazy.map(\.key.type)))
        if document.category != standard {
            let name = document.category.description
            let isNamed = AccessoryCategory(named: name) != nil
            members.add(.category, isNamed ? .text(name) : .number(JSONNumber(document.category.rawValue)))
        }
        members += information(of: main, name: document.name, isBridge: isBridge)
        members.add(.setupCode, document.setupCode.map { .text($0.text) })
        members.add(.setupID, document.setupID.map { .text($0.text) })
        members.add(.deviceID, document.deviceID.map { .text($0.text) })
        members.add(.configuration, document.configurationNumber.map { .number(JSONNumber($0)) })
        members.add(.aid, numbers.written(main.aid))
        if isFixed {
            members.add(.ids, .text("fixed"))
        }
        if document.isVerbatim {
            members.add(.verbatim, .flag(true))
        }
        let services = self.services(of: main, name: document.name, isMain: true)
        if !services.isEmpty || !isBridge {
            members.add(.services, .list(services))
        }
        if isBridge {
            let others = document.accessories.dropFirst()
                .map { accessory -> DocumentTree in
                    let name = self.name(of: accessory)
                    var members: [DocumentTree.Member] = []
                    members.add(.accessory, .text(name))
                    members.add(.id, accessory.key == name ? nil : .text(accessory.key))
                    members += information(of: accessory, name: name, isBridge: false)
                    members.add(.aid, numbers.written(accessory.aid))
                    members.add(.services, .list(self.services(of: accessory, name: name, isMain: false)))
                    return .map(members)
                }
            members.add(.accessories, .list(others))
        }
        return members
    }

    private func head(of main: FileAccessory) -> [DocumentTree.Member] {
        var members: [DocumentTree.Member] = []
        members.add(isBridge ? .bridge : .accessory, .text(document.name))
        members.add(.id, main.key == document.name ? nil : .text(main.key))
        members.add(.serverID, document.key == main.key ? nil : .text(document.key))
        return members
    }

    /// What an accessory behind the bridge is called.
    private func name(of accessory: FileAccessory) -> String {
        guard !document.isVerbatim, let name = accessory.text(of: .name), !name.isEmpty else { return accessory.key }
        return name
    }

    /// The keys for Accessory Information.
    private func information(
        of accessory: FileAccessory,
        name: String,
        isBridge: Bool
    ) -> [DocumentTree.Member] {
        guard !document.isVerbatim else { return [] }
        let standard = standard(for: accessory, isBridge: isBridge)
        var members: [DocumentTree.Member] = []
        for (key, type) in Self.keys {
            if let text = accessory.text(of: type), text != standard[type] {
                members.add(key, .text(text))
            }
        }
        return members
    }

    private static let keys: [(AccessoryKey, CharacteristicType)] = [
        (.manufacturer, .manufacturer), (.model, .model), (.serialNumber, .serialNumber),
        (.firmware, .firmwareRevision),
    ]

    private func standard(for accessory: FileAccessory, isBridge: Bool) -> [CharacteristicType: String] {
        [
            .manufacturer: DefinitionStandard.manufacturer,
            .model: DefinitionStandard.model(of: accessory.services.lazy.map(\.key.type), isBridge: isBridge),
            .serialNumber: DefinitionStandard.serialNumber(of: accessory.key),
            .firmwareRevision: DefinitionStandard.firmware,
        ]
    }

    private func services(of accessory: FileAccessory, name: String, isMain: Bool) -> [DocumentTree] {
        var numbers = DefinitionNumbers(isFixed: isFixed, isVerbatim: document.isVerbatim, services: accessory.services)
        let encoder = DefinitionServiceEncoder(accessory.services, isVerbatim: document.isVerbatim)
        let standard = standard(for: accessory, isBridge: isMain && isBridge)
        let information = DefinitionStandard.information(
            name: name,
            manufacturer: accessory.text(of: .manufacturer) ?? standard[.manufacturer] ?? "",
            model: accessory.text(of: .model) ?? standard[.model] ?? "",
            serialNumber: accessory.text(of: .serialNumber) ?? standard[.serialNumber] ?? "",
            firmware: accessory.text(of: .firmwareRevision) ?? standard[.firmwareRevision] ?? ""
        )
        var trees: [DocumentTree] = []
        for position in accessory.services.indices {
            let service = accessory.services[position]
            let ids = numbers.written(service)
            if !document.isVerbatim {
                if service.key.type == .accessoryInformation {
                    let tree = encoder.information(at: position, ids: ids, implied: information)
                    if let tree { trees.append(tree) }
                    continue
                }
                let isBehindInformation =
                    position > 0 && accessory.services[position - 1].key.type == .accessoryInformation
                if isMain, isBehindInformation, ids.areImplied,
                    service.withoutIDs == DefinitionStandard.protocolInformation
                {
                    continue
                }
            }
            trees.append(encoder.service(at: position, ids: ids))
        }
        return trees
    }
}

extension FileAccessory {
    /// The text that Accessory Information has of this type, `nil` when it has none.
    fileprivate func text(of type: CharacteristicType) -> String? {
        let information = services.first { $0.key.type == .accessoryInformation }
        return information?.characteristics.first { $0.type == type }?.value?.string
    }
}

extension FileService {
    /// The service without any id of its objects.
    var withoutIDs: FileService {
        var service = self
        service.iid = nil
        for position in service.characteristics.indices {
            service.characteristics[position].iid = nil
        }
        return service
    }
}

extension [DocumentTree.Member] {
    fileprivate mutating func add(_ key: AccessoryKey, _ value: DocumentTree?) {
        if let value {
            append(.init(key.rawValue, value))
        }
    }
}
