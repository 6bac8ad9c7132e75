import AccessoryFiles
import AccessoryModel
import Documents
import FuzzHarness
import HAPCore
import PropertyLists

/// Exports of the HomeKit Accessory Simulator: any bytes, and two valid exports with changes in their graphs.
///
/// A document that was read can be served, and is the same after writing and reading.
enum ArchiveTarget: FuzzTarget {
    static let name = "archive"

    /// The first byte of an input.
    private enum Kind: UInt8, CaseIterable {
        case raw, lamp, bridge
    }

    static var seeds: [String: [UInt8]] {
        var seeds: [String: [UInt8]] = [
            "small": [Kind.raw.rawValue] + BinaryPropertyListWriter.write(ArchiveSamples.small),
            "markup": [Kind.raw.rawValue] + Array(ArchiveSamples.markup.utf8),
            "lamp": [Kind.lamp.rawValue],
            "bridge": [Kind.bridge.rawValue],
        ]
        for (name, edits) in ArchiveEdit.seeds {
            seeds["lamp-\(name)"] = [Kind.lamp.rawValue] + edits
            seeds["bridge-\(name)"] = [Kind.bridge.rawValue] + edits
        }
        return seeds
    }

    static func run(_ input: [UInt8]) {
        var source = ByteSource(input)
        switch Kind(rawValue: source.byte() % UInt8(Kind.allCases.count)) ?? .raw {
        case .raw:
            let bytes = source.remainder()
            // Other kinds of files have their own targets.
            if PropertyListReader.recognizes(bytes) { check(bytes) }
        case .lamp: check(ArchiveEdit.edited(ArchiveSamples.lamp, by: &source))
        case .bridge: check(ArchiveEdit.edited(ArchiveSamples.bridge, by: &source))
        }
    }

    private static func check(_ bytes: [UInt8]) {
        switch outcome({ () throws(DocumentError) in try AccessoryFile.read(bytes, name: "f") }) {
        case .failure(let error):
            claim(error.diagnostics.contains { $0.severity == .error && $0.file == "f" }, "a refusal has a reason")
        case .success(let reading):
            claim(reading.kind == .archive, "a property list is an archive")
            claim(reading.warnings.allSatisfy { $0.severity == .warning }, "what is read has no errors")
            claim(reading.warnings.count <= 101, "warnings end")
            check(reading.document)
            checkWriting(reading.document)
        }
    }

    private static func check(_ document: AccessoryDocument) {
        claim(1...AttributeDatabase.maximumAccessories ~= document.accessories.count, "a server has accessories")
        claim(document.accessories[0].aid ?? .primary == .primary, "the first accessory is the primary one")
        claim(Set(document.accessories.map(\.key)).count == document.accessories.count, "keys are unique")
        let aids = document.accessories.compactMap(\.aid)
        claim(Set(aids).count == aids.count, "accessory ids are unique")
        for accessory in document.accessories {
            let services = accessory.services
            let iids = services.flatMap { [$0.iid] + $0.characteristics.map(\.iid) }.compactMap(\.self)
            claim(Set(iids).count == iids.count, "instance ids are unique")
            let keys = Set(services.map(\.key))
            claim(keys.count == services.count, "services are told apart")
            claim(services.count { $0.isPrimary } <= 1, "one service is primary")
            for service in services {
                claim(service.linked.allSatisfy { $0 != service.key && keys.contains($0) }, "links lead to services")
                let types = Set(service.characteristics.map(\.type))
                claim(types.count == service.characteristics.count, "a service has a characteristic once")
                for characteristic in service.characteristics {
                    guard let value = characteristic.value else { continue }
                    let isValid = characteristic.metadata.value(from: value, isStrict: false) != nil
                    claim(isValid, "a value is one of its characteristic's")
                }
            }
        }
    }

    private static func checkWriting(_ document: AccessoryDocument) {
        guard let written = try? AccessoryFile.write(document, as: .archive, name: "f").bytes else {
            let ids = document.accessories.flatMap { accessory in
                [accessory.aid?.rawValue]
                    + accessory.services.flatMap { [$0.iid] + $0.characteristics.map(\.iid) }.map { $0?.rawValue }
            }
            claim(ids.contains { $0 ?? 0 > 1 << 52 }, "what was read can be written unless no ids are left")
            return
        }
        guard let again = try? AccessoryFile.read(written, name: "f") else {
            fatalError("does not hold: what is written can be read")
        }
        var expected = document
        expected.deviceID = again.document.deviceID
        expected.setupID = again.document.setupID
        expected.configurationNumber = document.configurationNumber ?? 1
        for position in expected.accessories.indices {
            expected.accessories[position].take(idsOf: again.document.accessories[position])
        }
        claim(again.document == expected, "what was written is what was read")
    }
}

extension FileAccessory {
    /// Copies missing ids from an accessory that is otherwise the same.
    fileprivate mutating func take(idsOf other: FileAccessory) {
        aid = aid ?? other.aid
        for (position, service) in zip(services.indices, other.services) {
            services[position].iid = services[position].iid ?? service.iid
            for (index, characteristic) in zip(services[position].characteristics.indices, service.characteristics) {
                let iid = services[position].characteristics[index].iid
                services[position].characteristics[index].iid = iid ?? characteristic.iid
            }
        }
    }
}
