internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import Simulation

/// Finds what of a document does not come back from the file that was written of it.
struct DocumentDifference {
    private let file: String
    private(set) var findings: [Diagnostic] = []
    /// Whether what was served as it stands is so no more.
    private(set) var isPictureLost = false

    /// Compares a document with what was read back, whatever kind of file it was.
    ///
    /// - Parameters:
    ///   - document: The document, as it was written; see ``AccessoryDocument/settled(like:)``.
    ///   - kept: What came back.
    ///   - file: The file, for the findings.
    static func all(from document: AccessoryDocument, to kept: AccessoryDocument, in file: String) -> [Diagnostic] {
        guard document != kept else { return [] }
        var difference = DocumentDifference(file: file)
        difference.isPictureLost = document.isVerbatim && !kept.isVerbatim
        difference.compareServer(document, kept)
        for pair in pairs(document.accessories, kept.accessories, by: \.aid?.rawValue) {
            switch pair {
            case (let accessory?, let other?):
                let isServer = accessory.key == document.key && other.key == kept.key
                difference.compare(accessory, other, isServer: isServer)
            case (let accessory?, nil): difference.report(accessory.key, "the accessory is not kept")
            case (nil, let other?): difference.report(other.key, "the accessory is added")
            case (nil, nil): break
            }
        }
        if difference.findings.isEmpty {
            difference.report("", "something about it is not kept as it is")
        }
        return difference.findings
    }

    private init(file: String) {
        self.file = file
    }

    private mutating func compareServer(_ document: AccessoryDocument, _ kept: AccessoryDocument) {
        compare("the id", document.key, kept.key, at: "id")
        if document.name != document.key || kept.name != kept.key {
            compare("the name", document.name, kept.name, at: "name")
        }
        compare("the category", document.category, kept.category, at: "category") { $0.description }
        compare("the device ID", document.deviceID, kept.deviceID, at: "deviceID") { $0?.text ?? "none" }
        if document.setupCode != kept.setupCode { report("setupCode", "the setup code is not kept") }
        compare("the setup ID", document.setupID, kept.setupID, at: "setupID") { $0?.text ?? "none" }
        compare("the configuration number", document.configurationNumber, kept.configurationNumber, at: "configuration")
        if document.isVerbatim != kept.isVerbatim {
            report("", "that it is the picture of a real device, to be served as it stands, is not kept")
        }
    }

    private mutating func compare(_ accessory: FileAccessory, _ kept: FileAccessory, isServer: Bool) {
        let path = accessory.key
        if !isServer { compare("the id", accessory.key, kept.key, at: path) }
        compare("the aid", accessory.aid, kept.aid, at: path)
        for pair in Self.pairs(accessory.services, kept.services, by: \.iid?.rawValue) {
            switch pair {
            case (let service?, let other?):
                let path = "\(path)/\(service.key.type)"
                compare(service, other, at: path)
                if accessory.targets(of: service) != kept.targets(of: other) {
                    report(path, "not all of its links are kept as they are")
                }
            case (let service?, nil): report("\(path)/\(service.key.type)", "the service is not kept")
            case (nil, let other?): report("\(path)/\(other.key.type)", "the service is added")
            case (nil, nil): break
            }
        }
    }

    private mutating func compare(_ service: FileService, _ kept: FileService, at path: String) {
        compare("the type", service.key.type, kept.key.type, at: path) { $0.description }
        compare("the id", service.key.subtype, kept.key.subtype, at: path)
        compare("the iid", service.iid, kept.iid, at: path)
        if service.isPrimary != kept.isPrimary {
            report(path, "that it is\(service.isPrimary ? "" : " not") primary is not kept")
        }
        if service.isHidden != kept.isHidden {
            report(path, "that it is\(service.isHidden ? "" : " not") hidden is not kept")
        }
        if let type = service.writtenType, type != kept.writtenType {
            report(path, "the device's own type, \(type.excerpt), is not kept")
        }
        if service.simulation != kept.simulation { report(path, "what moves its values is not kept") }
        for pair in Self.pairs(service.characteristics, kept.characteristics, by: \.iid?.rawValue) {
            switch pair {
            case (let characteristic?, let other?):
                compare(characteristic, other, at: "\(path)/\(characteristic.type)")
            case (let characteristic?, nil): report("\(path)/\(characteristic.type)", "the characteristic is not kept")
            case (nil, let other?): report("\(path)/\(other.type)", "the characteristic is added")
            case (nil, nil): break
            }
        }
    }

    mutating func compare<Value: Equatable>(
        _ what: String,
        _ value: Value,
        _ kept: Value,
        at path: String,
        shown: (Value) -> String
    ) {
        if value != kept {
            report(path, "\(what) \(shown(value)) is not kept; it becomes \(shown(kept))")
        }
    }

    private mutating func compare(_ what: String, _ text: String, _ kept: String, at path: String) {
        compare(what, text, kept, at: path) { $0.excerpt }
    }

    mutating func compare<Value: Equatable & CustomStringConvertible>(
        _ what: String,
        _ value: Value?,
        _ kept: Value?,
        at path: String
    ) {
        compare(what, value, kept, at: path) { $0.map(\.description) ?? "none" }
    }

    mutating func report(_ path: String, _ reason: String) {
        findings.append(Diagnostic(.warning, in: file, path: path, reason))
    }

    /// Which element of one list is which of another: by their places when there are as many, else by their ids.
    private static func pairs<Element>(
        _ elements: [Element],
        _ others: [Element],
        by id: (Element) -> UInt64?
    ) -> [(Element?, Element?)] {
        guard elements.count != others.count else { return zip(elements, others).map { ($0, $1) } }
        var unpaired: [UInt64: Element] = [:]
        for other in others {
            if let id = id(other) { unpaired[id] = other }
        }
        let pairs = elements.map { element in
            (element, id(element).flatMap { unpaired.removeValue(forKey: $0) })
        }
        let added = others.filter { other in id(other).map { unpaired[$0] != nil } ?? true }
        return pairs.map { ($0, $1) } + added.map { (nil, $0) }
    }
}

extension FileAccessory {
    /// What a service of it links to, whatever the services are called: their ids, or their places without.
    fileprivate func targets(of service: FileService) -> [UInt64?] {
        service.linked.map { key in
            services.firstIndex { $0.key == key }.map { services[$0].iid?.rawValue ?? UInt64($0) }
        }
    }
}
