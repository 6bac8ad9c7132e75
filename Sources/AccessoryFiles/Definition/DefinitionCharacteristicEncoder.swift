internal import AccessoryModel
internal import Documents
internal import HAPCore

/// Finds the shortest definitions of the characteristics of a service.
struct DefinitionCharacteristicEncoder {
    private let service: FileService
    private let isVerbatim: Bool
    /// How often each description occurs.
    private let descriptions: [String: Int]
    /// Where characteristics stand of whose type the service has one before, and how many.
    private let repetitions: [Int: Int]

    init(_ service: FileService, isVerbatim: Bool) {
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
            members.append(.init("iid", iid))
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
            members.insert(.init("value", value), at: 0)
        }
        return .init(key(at: position), .map(members))
    }

    /// A characteristic of Accessory Information whose value follows from the accessory's keys, under its key.
    func valueless(at position: Int, iid: DocumentTree?) -> DocumentTree.Member {
        var members = overrides(at: position)
        if let iid {
            members.append(.init("iid", iid))
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
        let definition = Catalogue.characteristic(characteristic.type)
        var standard =
            definition.map { Characteristic($0) }
            ?? Characteristic(
                type: characteristic.type,
                permissions: .read,
                metadata: CharacteristicMetadata(format: characteristic.metadata.format)
            )
        let isRepeated = repetitions[position] != nil
        let name = isRepeated ? nil : ownName(of: characteristic)
        standard.description = name
        var members: [DocumentTree.Member] = []
        if isRepeated {
            members.append(.init("type", .text(characteristic.type.written)))
        } else if name != nil {
            members.append(.init("type", .text(characteristic.type.uuid.description)))
        }
        for field in CharacteristicField.all {
            if let value = field.write(characteristic, standard) { members.append(.init(field.name, value)) }
        }
        return members
    }

    private func value(of characteristic: Characteristic) -> DocumentTree {
        guard let value = characteristic.value else { return .null }
        return DocumentTree(isVerbatim ? value.json : characteristic.words.written(value))
    }
}
