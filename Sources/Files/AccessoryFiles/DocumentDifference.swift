internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import Simulation

/// Finds the parts of a document that are lost when it is written to a file and read again.
struct DocumentDifference {
    private let file: String
    private var diagnostics: [Diagnostic] = []
    /// Whether the document is verbatim and the one that was read is not.
    private var isVerbatimLost = false

    /// Compares a document with the result of writing and reading it, for any kind of file.
    ///
    /// - Parameters:
    ///   - document: The document that was written, with the defaults that the file adds; see
    ///     ``AccessoryDocument/withDefaults(from:)`` and ``AccessoryDocument/asServed(like:)``.
    ///   - stored: The document that was read.
    ///   - file: The name of the file, for messages.
    static func differences(from document: AccessoryDocument, to stored: AccessoryDocument, in file: String)
        -> [Diagnostic]
    {
        guard document != stored else { return [] }
        var difference = DocumentDifference(file: file)
        difference.isVerbatimLost = document.isVerbatim && !stored.isVerbatim
        difference.compareServer(document, stored)
        difference.compare("accessory", document.accessories, stored.accessories, \.aid?.rawValue, \.key) {
            let isServer = $1.key == document.key && $2.key == stored.key
            $0.compare($1, $2, isServer: isServer)
        }
        if difference.diagnostics.isEmpty {
            difference.report("", "a part of it is lost")
        }
        return difference.diagnostics
    }

    private mutating func compareServer(_ document: AccessoryDocument, _ stored: AccessoryDocument) {
        compare("the id", document.key, stored.key, at: "id")
        if document.name != document.key || stored.name != stored.key {
            compare("the name", document.name, stored.name, at: "name")
        }
        compare("the category", document.category, stored.category, at: "category") { $0.description }
        compare("the device ID", document.deviceID, stored.deviceID, at: "deviceID") { $0?.text ?? "none" }
        if document.setupCode != stored.setupCode { report("setupCode", "the setup code is lost") }
        compare("the setup ID", document.setupID, stored.setupID, at: "setupID") { $0?.text ?? "none" }
        compare(
            "the configuration number",
            document.configurationNumber,
            stored.configurationNumber,
            at: "configuration"
        )
        if document.isVerbatim != stored.isVerbatim {
            report("", "it is no longer served verbatim, as the copy of a real device")
        }
    }

    private mutating func compare(_ accessory: FileAccessory, _ stored: FileAccessory, isServer: Bool) {
        let path = accessory.key
        if !isServer { compare("the id", accessory.key, stored.key, at: path) }
        compare("the aid", accessory.aid, stored.aid, at: path)
        // An included accessory is written into the file itself.
        if accessory.driver?.name != stored.driver?.name || accessory.driver?.arguments != stored.driver?.arguments {
            report(path, "its driver is lost")
        }
        func place(_ service: FileService) -> String { "\(path)/\(service.key.type)" }
        compare("service", accessory.services, stored.services, \.iid?.rawValue, place) { difference, service, other in
            difference.compare(service, other, at: place(service))
            if accessory.targets(of: service) != stored.targets(of: other) {
                difference.report(place(service), "some of its links are lost or changed")
            }
        }
    }

    private mutating func compare(_ service: FileService, _ stored: FileService, at path: String) {
        compare("the type", service.key.type, stored.key.type, at: path) { $0.description }
        compare("the id", service.key.subtype, stored.key.subtype, at: path)
        compare("the iid", service.iid, stored.iid, at: path)
        if service.isPrimary != stored.isPrimary {
            report(path, "it is \(service.isPrimary ? "no longer" : "now") primary")
        }
        if service.isHidden != stored.isHidden {
            report(path, "it is \(service.isHidden ? "no longer" : "now") hidden")
        }
        if let type = service.verbatimType, type != stored.verbatimType {
            report(path, "the device's own type, \(type.excerpt), is lost")
        }
        if service.simulation != stored.simulation { report(path, "its simulation is lost") }
        func place(_ characteristic: Characteristic) -> String { "\(path)/\(characteristic.type)" }
        compare("characteristic", service.characteristics, stored.characteristics, \.iid?.rawValue, place) {
            $0.compare($1, $2, at: place($1))
        }
    }

    private mutating func compare(_ characteristic: Characteristic, _ stored: Characteristic, at path: String) {
        if isVerbatimLost { compareServed(characteristic, stored, at: path) }
        guard characteristic != stored else { return }
        let before = diagnostics.count
        compare("the type", characteristic.type, stored.type, at: path) { $0.description }
        compare("the iid", characteristic.iid, stored.iid, at: path)
        let lost = characteristic.permissions.subtracting(stored.permissions)
        let added = stored.permissions.subtracting(characteristic.permissions)
        if !lost.isEmpty { report(path, "the permissions \(lost.names.joined(separator: ", ")) are lost") }
        if !added.isEmpty { report(path, "the permissions \(added.names.joined(separator: ", ")) are added") }
        if characteristic.adminOnly != stored.adminOnly { report(path, "the access that only admins have is lost") }
        if characteristic.description != stored.description { report(path, "the description is lost") }
        compare(characteristic.metadata, stored.metadata, at: path)
        if characteristic.value != stored.value {
            report(path, "its value becomes \(stored.value.map(\.description) ?? "none")")
        }
        for member in characteristic.verbatimMembers.members where stored.verbatimMembers[member.key] != member.value {
            let text = String(decoding: member.value.encoded, as: UTF8.self)
            let shown = member.value.string?.excerpt ?? String(text.excerpt.dropFirst().dropLast())
            report(path, "the device's own \(member.key), \(shown), is lost")
        }
        if diagnostics.count == before { report(path, "a part of it is lost") }
    }

    /// Reports limits that are stored but no longer served, because they are the defaults.
    private mutating func compareServed(_ characteristic: Characteristic, _ stored: Characteristic, at path: String) {
        let before = characteristic.jsonMembers(isVerbatim: true)
        let stored = (all: stored.jsonMembers(isVerbatim: true), served: stored.jsonMembers(isVerbatim: false))
        let unsaid = ["minValue", "maxValue", "minStep", "maxLen", "maxDataLen"]
            .filter { before[$0] != nil && before[$0] == stored.all[$0] && stored.served[$0] == nil }
        if !unsaid.isEmpty {
            report(path, "not served, because the format implies it: \(unsaid.joined(separator: " and "))")
        }
    }

    private mutating func compare(_ metadata: CharacteristicMetadata, _ stored: CharacteristicMetadata, at path: String)
    {
        compare("the format", metadata.format, stored.format, at: path) { $0.rawValue }
        compare("the unit", metadata.unit, stored.unit, at: path) { $0?.rawValue ?? "none" }
        compare("the minimum", metadata.minimum, stored.minimum, at: path)
        compare("the maximum", metadata.maximum, stored.maximum, at: path)
        compare("the step", metadata.step, stored.step, at: path)
        compare("the minimum length", metadata.minimumLength, stored.minimumLength, at: path)
        compare("the maximum length", metadata.maximumLength, stored.maximumLength, at: path)
        compare("the maximum number of bytes", metadata.maximumDataLength, stored.maximumDataLength, at: path)
        if metadata.validValues != stored.validValues { report(path, "the valid values are lost") }
    }

    // MARK: Parts

    private mutating func compare<Value: Equatable>(
        _ what: String,
        _ value: Value,
        _ stored: Value,
        at path: String,
        shown: (Value) -> String
    ) {
        if value != stored {
            report(path, "\(what) \(shown(value)) becomes \(shown(stored))")
        }
    }

    private mutating func compare(_ what: String, _ text: String, _ stored: String, at path: String) {
        compare(what, text, stored, at: path) { $0.excerpt }
    }

    private mutating func compare<Value: Equatable & CustomStringConvertible>(
        _ what: String,
        _ value: Value?,
        _ stored: Value?,
        at path: String
    ) {
        compare(what, value, stored, at: path) { $0.map(\.description) ?? "none" }
    }

    private mutating func report(_ path: String, _ reason: String) {
        diagnostics.append(Diagnostic(.warning, in: file, path: path, reason))
    }

    /// Compares corresponding elements of two lists: by position if the lists have the same length, and otherwise by
    /// id.
    private mutating func compare<Element>(
        _ what: String,
        _ elements: [Element],
        _ others: [Element],
        _ id: (Element) -> UInt64?,
        _ path: (Element) -> String,
        _ compare: (inout DocumentDifference, Element, Element) -> Void
    ) {
        if elements.count == others.count {
            for (element, other) in zip(elements, others) { compare(&self, element, other) }
            return
        }
        var unpaired = Dictionary(others.compactMap { other in id(other).map { ($0, other) } }) { $1 }
        for element in elements {
            if let other = id(element).flatMap({ unpaired.removeValue(forKey: $0) }) {
                compare(&self, element, other)
            } else {
                report(path(element), "the \(what) is lost")
            }
        }
        for other in others where id(other).map({ unpaired[$0] != nil }) ?? true {
            report(path(other), "the \(what) is added")
        }
    }
}

extension FileAccessory {
    /// Returns the targets of a service's links, independent of service names: their ids, or their positions if they
    /// have none.
    fileprivate func targets(of service: FileService) -> [UInt64?] {
        service.linked.map { key in
            services.firstIndex { $0.key == key }.map { services[$0].iid?.rawValue ?? UInt64($0) }
        }
    }
}
