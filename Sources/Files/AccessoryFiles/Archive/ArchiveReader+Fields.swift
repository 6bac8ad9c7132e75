internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import PropertyLists

/// An object of an archive with its path.
struct LocatedObject {
    let object: ArchivedObject
    let path: String

    /// Returns the path of the property `HAK.name`.
    func path(of name: String) -> String { "\(path).\(name)" }
}

extension ArchiveReader {
    /// Returns the value of the property `HAK.name`, or null if it is missing.
    mutating func field(_ name: String, of object: ArchivedObject) throws(DocumentError) -> ArchivedValue {
        guard let place = object.fields["HAK.\(name)"] else { return .null }
        return try archive.value(place)
    }

    /// Converts a property; returns `nil` if it is missing or cannot be converted.
    ///
    /// - Parameters:
    ///   - reason: The end of the warning if `take` returns `nil`; the warning begins with the value.
    ///   - take: Returns the converted value, or `nil` if the value has another kind.
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

    /// Returns the elements of a property that is a list, and none for any other value.
    mutating func list(_ name: String, of part: LocatedObject) throws(DocumentError) -> [PropertyList] {
        try field(name, of: part, "is not a list; it is left out") { value in
            if case .list(let elements) = value { elements } else { nil }
        } ?? []
    }

    /// Returns a property that is an integer of at least 0.
    mutating func integer(_ name: String, of part: LocatedObject) throws(DocumentError) -> UInt64? {
        try field(name, of: part, "is not an integer of at least 0; it is left out") { value in
            if case .number(.unsigned(let integer)) = value { integer } else { nil }
        }
    }

    /// Converts a property that is an integer; returns `nil` if it is missing or cannot be converted.
    ///
    /// - Parameters:
    ///   - reason: The end of the warning if `make` returns `nil`; the warning begins with the integer.
    ///   - make: Returns the converted integer, or `nil` if it is invalid.
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

    /// Returns a property that is a text.
    mutating func text(_ name: String, of part: LocatedObject) throws(DocumentError) -> String? {
        try field(name, of: part, "is not a text; it is left out") { value in
            if case .text(let text) = value { text } else { nil }
        }
    }

    /// Returns the instance id of a service or characteristic.
    mutating func instanceID(of part: LocatedObject) throws(DocumentError) -> InstanceID? {
        try integer("instanceid", of: part, "is not a valid instance id; a new one is assigned") { number in
            number <= IdentifierMap.maximumID ? InstanceID(number) : nil
        }
    }

    /// Returns the UUID of the type of a service or characteristic, or `nil` if it is missing.
    mutating func type(of object: ArchivedObject) throws(DocumentError) -> HAPUUID? {
        var value = try field("uuid", of: object)
        if case .object(let wrapper) = value {
            value = try field("uuid", of: wrapper)
        }
        guard case .data(let bytes) = value, bytes.count == 16 else { return nil }
        return HAPUUID(high: bytes[..<8].bigEndian, low: bytes[8...].bigEndian)
    }

    /// Adds warnings if an object has an unknown class or unknown keys, which means that they occur in no real file.
    mutating func warnAboutUnknown(
        in part: LocatedObject,
        classes: Set<String>,
        keys: Set<String>
    ) throws(DocumentError) {
        let (object, path) = (part.object, part.path)
        if !classes.contains(object.className) {
            let expected = classes.min { $0.utf8.count < $1.utf8.count } ?? ""
            warn(path, "the class \(object.className.excerpt) is unknown; it is read as \(expected)")
        }
        try archive.countVisits(object.fields.entries.count)
        for entry in object.fields.entries where !entry.key.isOne(of: keys) && !entry.key.hasSameBytes(as: "$class") {
            warn(path, "the key \(entry.key.excerpt) is unknown; it is left out")
        }
    }
}

extension String {
    /// Returns whether the text is one of these texts, which are all short.
    ///
    /// A long text is not compared with them, because that could take minutes.
    func isOne(of texts: Set<String>) -> Bool {
        utf8.count <= KeyedArchive.maximumNameLength && texts.contains(self)
    }
}
