internal import AccessoryModel
internal import Documents
internal import HAPCore

extension ArchiveReader {
    /// What a property is; nothing where there is no such property.
    mutating func field(_ key: String, of object: ArchivedObject) throws(DocumentError) -> ArchivedValue {
        guard let place = object.fields[key] else { return .null }
        return try archive.value(place)
    }

    /// The elements of a property that is a list, none where it is something else.
    mutating func list(
        _ key: String,
        of object: ArchivedObject,
        at path: String
    ) throws(DocumentError) -> [PropertyList] {
        switch try field(key, of: object) {
        case .list(let elements): return elements
        case .null: return []
        case let other:
            warn(path, "\(other.kind) is no list; it is left out")
            return []
        }
    }

    /// The integer from 0 on that a property is.
    mutating func integer(
        _ key: String,
        of object: ArchivedObject,
        at path: String
    ) throws(DocumentError) -> UInt64? {
        switch try field(key, of: object) {
        case .null: return nil
        case .number(.unsigned(let value)): return value
        case let other:
            warn(path, "\(other.kind) is no integer from 0 on; it is left out")
            return nil
        }
    }

    /// The text that a property is.
    mutating func text(
        _ key: String,
        of object: ArchivedObject,
        at path: String
    ) throws(DocumentError) -> String? {
        switch try field(key, of: object) {
        case .null: return nil
        case .text(let text): return text
        case let other:
            warn(path, "\(other.kind) is no text; it is left out")
            return nil
        }
    }

    /// The instance id of a service or characteristic.
    mutating func instanceID(of object: ArchivedObject, at path: String) throws(DocumentError) -> InstanceID? {
        let path = "\(path).instanceid"
        guard let number = try integer("HAK.instanceid", of: object, at: path) else { return nil }
        guard let iid = InstanceID(number), number <= IdentifierMap.maximumID else {
            warn(path, "\(number) is no instance id; a new one is given")
            return nil
        }
        return iid
    }

    /// The UUID that names the type of a service or characteristic, `nil` where there is none.
    mutating func type(of object: ArchivedObject) throws(DocumentError) -> HAPUUID? {
        var value = try field("HAK.uuid", of: object)
        if case .object(let wrapper) = value {
            value = try field("HAK.uuid", of: wrapper)
        }
        guard case .data(let bytes) = value, bytes.count == 16 else { return nil }
        return HAPUUID(high: bytes[..<8].bigEndian, low: bytes[8...].bigEndian)
    }

    /// Notes a class and keys that real files do not have.
    mutating func noteUnknown(
        in object: ArchivedObject,
        classes: Set<String>,
        keys: Set<String>,
        at path: String
    ) throws(DocumentError) {
        if !classes.contains(object.className) {
            let expected = classes.min { $0.utf8.count < $1.utf8.count } ?? ""
            warn(path, "the class \(object.className.excerpt) is not known; it is read as \(expected)")
        }
        try archive.spend(object.fields.entries.count)
        for entry in object.fields.entries where !entry.key.isOne(of: keys) && !entry.key.hasSameBytes(as: "$class") {
            warn(path, "the key \(entry.key.excerpt) is not known; it is left out")
        }
    }
}

extension String {
    /// Whether it is one of some short texts; a long one is not even compared.
    func isOne(of texts: Set<String>) -> Bool {
        utf8.count <= KeyedArchive.longestName && texts.contains(self)
    }
}
