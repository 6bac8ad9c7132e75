internal import AccessoryModel
internal import Documents
internal import HAPCore

/// An object of an archive, with where it is.
struct LocatedObject {
    let object: ArchivedObject
    let path: String

    /// The path of the property `HAK.name`.
    func path(of name: String) -> String { "\(path).\(name)" }
}

extension ArchiveReader {
    /// The value of the property `HAK.name`; null where there is none.
    mutating func field(_ name: String, of object: ArchivedObject) throws(DocumentError) -> ArchivedValue {
        guard let place = object.fields["HAK.\(name)"] else { return .null }
        return try archive.value(place)
    }

    /// What `take` makes of a property; `nil` where there is none, and with a warning where `take` returns `nil`.
    mutating func field<Value>(
        _ name: String,
        of part: LocatedObject,
        _ reason: String,
        _ take: (ArchivedValue) -> Value?
    ) throws(DocumentError) -> Value? {
        let value = try field(name, of: part.object)
        if case .null = value { return nil }
        if let taken = take(value) { return taken }
        warn(part.path(of: name), "\(value.kind) \(reason)")
        return nil
    }

    /// The elements of a property that is a list, none where it is something else.
    mutating func list(_ name: String, of part: LocatedObject) throws(DocumentError) -> [PropertyList] {
        try field(name, of: part, "is no list; it is left out") { value in
            if case .list(let elements) = value { elements } else { nil }
        } ?? []
    }

    /// The integer from 0 on that a property is.
    mutating func integer(_ name: String, of part: LocatedObject) throws(DocumentError) -> UInt64? {
        try field(name, of: part, "is no integer from 0 on; it is left out") { value in
            if case .number(.unsigned(let integer)) = value { integer } else { nil }
        }
    }

    /// What `make` makes of an integer; `nil`, with a warning, where that is nothing.
    mutating func integer<Value>(
        _ name: String,
        of part: LocatedObject,
        _ reason: String,
        _ make: (UInt64) -> Value?
    ) throws(DocumentError) -> Value? {
        guard let number = try integer(name, of: part) else { return nil }
        if let value = make(number) { return value }
        warn(part.path(of: name), "\(number) \(reason)")
        return nil
    }

    /// The text that a property is.
    mutating func text(_ name: String, of part: LocatedObject) throws(DocumentError) -> String? {
        try field(name, of: part, "is no text; it is left out") { value in
            if case .text(let text) = value { text } else { nil }
        }
    }

    /// The instance id of a service or characteristic.
    mutating func instanceID(of part: LocatedObject) throws(DocumentError) -> InstanceID? {
        try integer("instanceid", of: part, "is no instance id; a new one is given") { number in
            number <= IdentifierMap.maximumID ? InstanceID(number) : nil
        }
    }

    /// The UUID that names the type of a service or characteristic, `nil` where there is none.
    mutating func type(of object: ArchivedObject) throws(DocumentError) -> HAPUUID? {
        var value = try field("uuid", of: object)
        if case .object(let wrapper) = value {
            value = try field("uuid", of: wrapper)
        }
        guard case .data(let bytes) = value, bytes.count == 16 else { return nil }
        return HAPUUID(high: bytes[..<8].bigEndian, low: bytes[8...].bigEndian)
    }

    /// Notes a class and keys that real files do not have.
    mutating func warnAboutUnknown(
        in part: LocatedObject,
        classes: Set<String>,
        keys: Set<String>
    ) throws(DocumentError) {
        let (object, path) = (part.object, part.path)
        if !classes.contains(object.className) {
            let expected = classes.min { $0.utf8.count < $1.utf8.count } ?? ""
            warn(path, "the class \(object.className.excerpt) is not known; it is read as \(expected)")
        }
        try archive.countVisits(object.fields.entries.count)
        for entry in object.fields.entries where !entry.key.isOne(of: keys) && !entry.key.hasSameBytes(as: "$class") {
            warn(path, "the key \(entry.key.excerpt) is not known; it is left out")
        }
    }
}

extension String {
    /// Whether it is one of some short texts; a long one is not even compared.
    func isOne(of texts: Set<String>) -> Bool {
        utf8.count <= KeyedArchive.maximumNameLength && texts.contains(self)
    }
}
