internal import AccessoryModel
internal import HAPCore
internal import Simulation

/// What of a document does not come back from the dump that was written of it.
struct DumpLosses {
    private let name: String
    private var findings: [FileFinding] = []

    private init(name: String) {
        self.name = name
    }

    /// Compares a document with what was read back.
    static func losses(
        from document: AccessoryDocument,
        to kept: AccessoryDocument,
        name: String
    ) -> [FileFinding] {
        var losses = DumpLosses(name: name)
        if document.key != kept.key {
            losses.note("id", "the id \(document.key.excerpt) is not kept; it becomes \(kept.key.excerpt)")
        }
        if document.name != kept.name {
            losses.note("name", "the name \(document.name.excerpt) is not kept; it becomes \(kept.name.excerpt)")
        }
        if document.category != kept.category {
            losses.note("category", "the category is not kept; it becomes what belongs to the services")
        }
        if document.deviceID != nil { losses.note("deviceID", "a dump has no device ID") }
        if document.setupCode != nil { losses.note("setupCode", "a dump has no setup code") }
        if document.setupID != nil { losses.note("setupID", "a dump has no setup ID") }
        if document.configurationNumber != nil { losses.note("configuration", "a dump has no configuration number") }
        for (accessory, kept) in zip(document.accessories, kept.accessories) {
            losses.compare(accessory, kept)
        }
        return losses.findings
    }

    private mutating func compare(_ accessory: DocumentedAccessory, _ kept: DocumentedAccessory) {
        if accessory.key != kept.key {
            note(accessory.key, "the id \(accessory.key.excerpt) is not kept; it becomes \(kept.key.excerpt)")
        }
        for (service, kept) in zip(accessory.services, kept.services) {
            let path = "\(accessory.key)/\(service.key.type)"
            if service.key != kept.key {
                note(path, "the id \(service.key.subtype.excerpt) is not kept; it becomes \(kept.key.subtype.excerpt)")
            }
            if service.simulation.model(for: service.key.type) != nil {
                note(path, "what moves its values is not kept")
            }
            for (characteristic, kept) in zip(service.characteristics, kept.characteristics) {
                compare(characteristic, kept, at: "\(path)/\(characteristic.type)")
            }
        }
    }

    private mutating func compare(_ characteristic: Characteristic, _ kept: Characteristic, at path: String) {
        if !characteristic.adminOnly.isEmpty { note(path, "what only admins may do is not kept") }
        if characteristic.metadata.minimumLength != nil { note(path, "the least length is not kept") }
        if characteristic.value != nil, kept.value == nil { note(path, "its value cannot be read and is not kept") }
    }

    private mutating func note(_ path: String, _ reason: String) {
        findings.append(FileFinding(.warning, in: name, path: path, reason))
    }
}
