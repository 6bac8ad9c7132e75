internal import AccessoryModel
internal import Documents
internal import HAPCore

/// Finds the shortest definitions of the characteristics of a service.
struct DefinitionCharacteristicEncoder {
    private let service: DocumentedService
    private let isVerbatim: Bool
    /// How often each description occurs.
    private let descriptions: [String: Int]
    /// Where characteristics stand of whose type the service has one before, and how many.
    private let repetitions: [Int: Int]

    init(_ service: DocumentedService, isVerbatim: Bool) {
        self.service = service
        self.isVerbatim = isVerbatim
        let own = service.characteristics.lazy.compactMap(\.description).filter(Self.mayBeName)
        descriptions = own.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        var counts: [CharacteristicType: Int] = [:]
        var repetitions: [Int: Int] = [:]
        for (position, characteristic) in service.characteristics.enumerated() {
            let count = counts[characteristic.type, default: 0] + 1
            counts[characteristic.type] = count
            repetitions[position] = count > 1 ? count : nil
        }
        self.repetitions = repetitions
    }

    /// What names a characteristic in the file: its name in the catalogue; a vendor's, its description or its UUID.
    ///
    /// Only a real device has one twice: that has its number behind its name.
    func key(at position: Int) -> String {
        let characteristic = service.characteristics[position]
        if let number = repetitions[position] { return "\(characteristic.type.written) (\(number))" }
        return ownName(of: characteristic) ?? characteristic.type.written
    }

    /// A characteristic under its key; its value alone when nothing else has to be said.
    func member(at position: Int, iid: DocumentTree?) -> DocumentTree.Member {
        let characteristic = service.characteristics[position]
        var members = overrides(at: position)
        if let iid {
            members.append(.init(CharacteristicField.iid.rawValue, iid))
        }
        let value = value(of: characteristic)
        guard !members.isEmpty else {
            return .init(key(at: position), value)
        }
        let standard = DefinitionStandard.value(
            of: characteristic.type,
            permissions: characteristic.permissions,
            metadata: characteristic.metadata
        )
        if characteristic.value != (isVerbatim ? nil : standard) {
            members.insert(.init(CharacteristicField.value.rawValue, value), at: 0)
        }
        return .init(key(at: position), .map(members))
    }

    /// A characteristic of Accessory Information whose value follows from the accessory's keys, under its key.
    func valueless(at position: Int, iid: DocumentTree?) -> DocumentTree.Member {
        var members = overrides(at: position)
        if let iid {
            members.append(.init(CharacteristicField.iid.rawValue, iid))
        }
        return .init(key(at: position), .map(members))
    }

    /// The description of a vendor's characteristic, where it can be a key.
    private func ownName(of characteristic: Characteristic) -> String? {
        guard Catalogue.characteristic(characteristic.type) == nil, let text = characteristic.description,
            Self.mayBeName(text), HAPUUID(text) == nil,
            Catalogue.characteristic(named: text) == nil
        else {
            return nil
        }
        return descriptions[text] == 1 ? text : nil
    }

    private static func mayBeName(_ text: String) -> Bool {
        1...64 ~= text.utf8.count
    }

    /// What is otherwise than the type has it.
    private func overrides(at position: Int) -> [DocumentTree.Member] {
        let characteristic = service.characteristics[position]
        var members: [DocumentTree.Member] = []
        func add(_ field: CharacteristicField, _ value: DocumentTree) {
            members.append(.init(field.rawValue, value))
        }
        let definition = Catalogue.characteristic(characteristic.type)
        let metadata = characteristic.metadata
        let standard = definition?.metadata ?? CharacteristicMetadata(format: metadata.format)
        let isRepeated = repetitions[position] != nil
        let name = isRepeated ? nil : ownName(of: characteristic)
        if isRepeated {
            add(.type, .text(characteristic.type.written))
        } else if name != nil {
            add(.type, .text(characteristic.type.uuid.description))
        }
        if definition == nil || metadata.format != standard.format {
            add(.format, .text(metadata.format.rawValue))
        }
        if metadata.unit != standard.unit {
            add(.unit, .text(metadata.unit?.rawValue ?? "none"))
        }
        if metadata.minimum != standard.minimum || metadata.maximum != standard.maximum {
            add(.range, range(metadata))
        }
        if metadata.step != standard.step {
            add(.step, metadata.step.map(DocumentTree.number) ?? .text("none"))
        }
        if metadata.validValues != standard.validValues {
            let values = metadata.validValues
            add(.validValues, values.isEmpty ? .text("none") : .list(values.map(DocumentTree.number)))
        }
        let lengths: [(CharacteristicField, Int?, Int?)] = [
            (.minLength, metadata.minimumLength, standard.minimumLength),
            (.maxLength, metadata.maximumLength, standard.maximumLength),
            (.maxDataLength, metadata.maximumDataLength, standard.maximumDataLength),
        ]
        for (field, length, standard) in lengths where length != standard {
            add(field, length.map { .number(JSONNumber($0)) } ?? .text("none"))
        }
        let permissions = definition?.permissions ?? .read
        if characteristic.permissions == permissions.union(.hidden), !permissions.contains(.hidden) {
            add(.hidden, .flag(true))
        } else if characteristic.permissions != permissions {
            add(.permissions, .list(characteristic.permissions.names.map(DocumentTree.text)))
        }
        if characteristic.adminOnly != definition?.adminOnly ?? [] {
            let accesses: [(AdminOnlyAccess, String)] = [(.read, "read"), (.write, "write"), (.notify, "notify")]
            add(.adminOnly, .list(accesses.filter { characteristic.adminOnly.contains($0.0) }.map { .text($0.1) }))
        }
        if let description = characteristic.description, description != name {
            add(.description, .text(description))
        }
        return members
    }

    private func range(_ metadata: CharacteristicMetadata) -> DocumentTree {
        guard metadata.minimum != nil || metadata.maximum != nil else { return .text("none") }
        return .word("\(metadata.minimum?.definitionText ?? "")...\(metadata.maximum?.definitionText ?? "")")
    }

    private func value(of characteristic: Characteristic) -> DocumentTree {
        guard let value = characteristic.value else { return .null }
        return DocumentTree(isVerbatim ? value.json : characteristic.words.written(value))
    }
}
