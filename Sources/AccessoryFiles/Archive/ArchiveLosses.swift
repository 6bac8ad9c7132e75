internal import AccessoryModel
internal import HAPCore
internal import Simulation

/// What of a document does not come back from the archive that was written of it.
struct ArchiveLosses {
    private let name: String
    private var findings: [FileFinding] = []

    private init(name: String) {
        self.name = name
    }

    /// Compares a document with what was read back.
    ///
    /// - Parameters:
    ///   - document: The document, with every id.
    ///   - kept: What came back.
    ///   - name: The file, for the findings.
    static func losses(
        from document: AccessoryDocument,
        to kept: AccessoryDocument,
        name: String
    ) -> [FileFinding] {
        var losses = ArchiveLosses(name: name)
        if document.key != kept.key {
            losses.note("id", "the id \(document.key.excerpt) is not kept; it becomes \(kept.key.excerpt)")
        }
        if document.name != kept.name, document.name != document.key || kept.name != kept.key {
            losses.note("name", "the name \(document.name.excerpt) is not kept; it becomes \(kept.name.excerpt)")
        }
        if document.isVerbatim {
            losses.note("", "that it is the picture of a real device, to be served as it stands, is not kept")
        }
        for (position, accessory) in document.accessories.enumerated() {
            guard position < kept.accessories.count else {
                losses.note(accessory.key, "the accessory is not kept")
                continue
            }
            losses.compare(accessory, kept.accessories[position], isFirst: position == 0)
        }
        return losses.findings
    }

    private mutating func compare(_ accessory: DocumentedAccessory, _ kept: DocumentedAccessory, isFirst: Bool) {
        if accessory.key != kept.key, !isFirst {
            note(accessory.key, "the id \(accessory.key.excerpt) is not kept; it becomes \(kept.key.excerpt)")
        }
        let services = Dictionary(kept.services.map { ($0.iid, $0) }) { first, _ in first }
        for service in accessory.services {
            let path = "\(accessory.key)/\(service.key.type)"
            if let kept = services[service.iid] {
                compare(service, kept, at: path)
            } else {
                note(path, "the service is not kept; HAS has its own, or another accessory has it")
            }
        }
    }

    private mutating func compare(_ service: DocumentedService, _ kept: DocumentedService, at path: String) {
        if service.key != kept.key {
            note(path, "the id \(service.key.subtype.excerpt) is not kept; it becomes \(kept.key.subtype.excerpt)")
        }
        if service.isPrimary != kept.isPrimary { note(path, "that it is primary is not kept") }
        if service.isHidden != kept.isHidden { note(path, "that it is hidden is not kept") }
        if service.linked.count != kept.linked.count { note(path, "not all of its links are kept") }
        let type = service.key.type
        if service.simulation.model(for: type) != kept.simulation.model(for: type) {
            note(path, "what moves its values is not kept; it becomes what belongs to its type")
        }
        let characteristics = Dictionary(kept.characteristics.map { ($0.type, $0) }) { first, _ in first }
        for characteristic in service.characteristics {
            let path = "\(path)/\(characteristic.type)"
            if let kept = characteristics[characteristic.type] {
                compare(characteristic, kept, at: path)
            } else {
                note(path, "the characteristic is not kept")
            }
        }
    }

    private mutating func compare(_ characteristic: Characteristic, _ kept: Characteristic, at path: String) {
        let lost = characteristic.permissions.subtracting(kept.permissions)
        let added = kept.permissions.subtracting(characteristic.permissions)
        if !lost.isEmpty { note(path, "the permissions \(lost.names.joined(separator: ", ")) are not kept") }
        if !added.isEmpty { note(path, "the permissions \(added.names.joined(separator: ", ")) are added") }
        if characteristic.adminOnly != kept.adminOnly { note(path, "what only admins may do is not kept") }
        if characteristic.description != kept.description { note(path, "the description is not kept") }
        let metadata = characteristic.metadata
        if metadata.validValues != kept.metadata.validValues { note(path, "the valid values are not kept") }
        if metadata.maximumDataLength != kept.metadata.maximumDataLength { note(path, "the length is not kept") }
        if [metadata.minimum, metadata.maximum, metadata.step]
            != [kept.metadata.minimum, kept.metadata.maximum, kept.metadata.step]
        {
            note(path, "range and step are not kept")
        }
        if [metadata.minimumLength, metadata.maximumLength]
            != [kept.metadata.minimumLength, kept.metadata.maximumLength]
        {
            note(path, "the length of its text is not kept")
        }
        if characteristic.value != kept.value {
            let value = kept.value.map(\.description) ?? "none"
            note(path, "its value is not kept; it becomes \(value)")
        }
    }

    private mutating func note(_ path: String, _ reason: String) {
        findings.append(FileFinding(.warning, in: name, path: path, reason))
    }
}
