internal import AccessoryModel
internal import HAPCore

/// Finds what is not the same in two documents.
struct DocumentDifference {
    private let file: String
    private var findings: [FileFinding] = []

    /// What of a document became something else on its way through a file.
    static func all(from document: AccessoryDocument, to other: AccessoryDocument, in file: String) -> [FileFinding] {
        guard document != other else { return [] }
        var difference = DocumentDifference(file: file)
        difference.compare("id", document.key, other.key, at: "")
        difference.compare("name", document.name, other.name, at: "")
        difference.compare("category", document.category, other.category, at: "")
        difference.compare("device ID", document.deviceID, other.deviceID, at: "")
        difference.compare("setup code", document.setupCode, other.setupCode, at: "")
        difference.compare("setup ID", document.setupID, other.setupID, at: "")
        difference.compare("configuration number", document.configurationNumber, other.configurationNumber, at: "")
        difference.compare("number of accessories", document.accessories.count, other.accessories.count, at: "")
        for (position, pair) in zip(document.accessories, other.accessories).enumerated() where pair.0 != pair.1 {
            difference.compare(pair.0, pair.1, at: position == 0 ? "" : "accessories[\(position - 1)]")
        }
        if difference.findings.isEmpty {
            difference.report("something", at: "")
        }
        return difference.findings
    }

    private init(file: String) {
        self.file = file
    }

    private mutating func compare(_ accessory: DocumentedAccessory, _ other: DocumentedAccessory, at path: String) {
        compare("id", accessory.key, other.key, at: path)
        compare("aid", accessory.aid, other.aid, at: path)
        compare("number of services", accessory.services.count, other.services.count, at: path)
        for (position, pair) in zip(accessory.services, other.services).enumerated() where pair.0 != pair.1 {
            compare(pair.0, pair.1, at: (path.isEmpty ? "" : path + ".") + "services[\(position)]")
        }
    }

    private mutating func compare(_ service: DocumentedService, _ other: DocumentedService, at path: String) {
        compare("type and id", service.key, other.key, at: path)
        compare("iid", service.iid, other.iid, at: path)
        compare("primary", service.isPrimary, other.isPrimary, at: path)
        compare("hidden", service.isHidden, other.isHidden, at: path)
        compare("links", service.linked, other.linked, at: path)
        compare("simulation", service.simulation, other.simulation, at: path)
        let counts = (service.characteristics.count, other.characteristics.count)
        compare("number of characteristics", counts.0, counts.1, at: path)
        for (characteristic, other) in zip(service.characteristics, other.characteristics) where characteristic != other
        {
            let path = "\(path).characteristics.\(characteristic.type.description.shortenedForPeople)"
            compare("type", characteristic.type, other.type, at: path)
            compare("permissions", characteristic.permissions, other.permissions, at: path)
            compare("format and limits", characteristic.metadata, other.metadata, at: path)
            compare("restriction to admins", characteristic.adminOnly, other.adminOnly, at: path)
            compare("description", characteristic.description, other.description, at: path)
            compare("value", characteristic.value, other.value, at: path)
            compare("iid", characteristic.iid, other.iid, at: path)
        }
    }

    private mutating func compare<Value: Equatable>(_ name: String, _ value: Value, _ other: Value, at path: String) {
        if value != other {
            report("its \(name)", at: path)
        }
    }

    private mutating func report(_ what: String, at path: String) {
        findings.append(FileFinding(.warning, in: file, path: path, "a definition does not say \(what) as it is here"))
    }
}
