internal import Documents
internal import HAPCore
internal import PropertyLists

/// An object graph in the form of `NSKeyedArchiver`.
///
/// Only requested objects are decoded, and no class is instantiated, so cycles in the graph do no harm. The number of
/// lookups is limited, because a small file can refer to one large object many times.
///
/// [NSKeyedArchiver](https://developer.apple.com/documentation/foundation/nskeyedarchiver)
struct KeyedArchive {
    /// The maximum number of values to decode.
    ///
    /// Long texts and data count as several values.
    static let maximumVisits = 1_000_000

    /// The root object.
    let root: PropertyList

    private let objects: [PropertyList]
    private let name: String
    private var remainingVisits = Self.maximumVisits

    /// Creates an archive from a property list.
    ///
    /// - Throws: ``DocumentError`` if the list is not a keyed archive.
    init(_ list: PropertyList, name: String) throws(DocumentError) {
        func fault(_ path: String, _ reason: String) -> DocumentError {
            DocumentError(in: name, path: path, reason)
        }
        guard let dictionary = list.dictionary else {
            throw fault(
                "",
                "the property list is not a dictionary, so it is not a keyed archive; choose an export "
                    + "of Apple's HomeKit Accessory Simulator"
            )
        }
        guard dictionary["$archiver"]?.text?.hasSameBytes(as: "NSKeyedArchiver") == true else {
            throw fault(
                "$archiver",
                "this property list was not written by NSKeyedArchiver; choose an export of "
                    + "Apple's HomeKit Accessory Simulator"
            )
        }
        guard let objects = dictionary["$objects"]?.array, !objects.isEmpty else {
            throw fault("$objects", "the archive has no objects; the file is damaged, so export it again")
        }
        guard let root = dictionary["$top"]?.dictionary?["root"] else {
            throw fault(
                "$top.root",
                "the archive does not name its root object; the file is damaged, so export it again"
            )
        }
        self.objects = objects
        self.root = root
        self.name = name
    }

    /// Decodes a value, or the object that it refers to.
    ///
    /// - Throws: ``DocumentError`` if too many values were decoded.
    mutating func value(_ list: PropertyList) throws(DocumentError) -> ArchivedValue {
        guard case .uid(let uid) = list else { return try content(list, uid: nil) }
        try countVisits(1)
        guard uid != 0 else { return .null }
        guard uid < objects.count else {
            return .unreadable("a reference to the missing object \(uid) (the last one is \(objects.count - 1))")
        }
        let target = objects[Int(uid)]
        if case .uid = target { return .unreadable("a reference to a reference") }
        return try content(target, uid: uid)
    }

    /// Subtracts `cost` from the remaining lookups.
    mutating func countVisits(_ cost: Int) throws(DocumentError) {
        guard cost <= remainingVisits else {
            throw DocumentError(
                in: name,
                "the archive's objects contain more than \(Self.maximumVisits) references; export fewer accessories at "
                    + "once"
            )
        }
        remainingVisits -= cost
    }

    private mutating func content(_ list: PropertyList, uid: UInt32?) throws(DocumentError) -> ArchivedValue {
        try countVisits(1)
        switch list {
        case .bool(let value): return .bool(value)
        case .unsigned(let value): return .number(.unsigned(value))
        case .negative(let value): return .number(.negative(value))
        case .real(let value):
            return JSONNumber(value).map(ArchivedValue.number) ?? .unreadable("the non-finite number \(value)")
        case .date: return .unreadable("a date")
        case .text(let text):
            try countVisits(text.utf8.count / Self.bytesPerVisit)
            return .text(text)
        case .data(let bytes):
            try countVisits(bytes.count / Self.bytesPerVisit)
            return .data(bytes)
        case .uid: return .unreadable("a reference to a reference")
        case .array(let elements): return .list(elements)
        case .dictionary(let fields):
            guard let classField = fields["$class"] else { return .dictionary(fields) }
            return try object(fields, className: try className(classField), uid: uid)
        }
    }

    private mutating func object(
        _ fields: PropertyListDictionary,
        className: String,
        uid: UInt32?
    ) throws(DocumentError) -> ArchivedValue {
        switch className {
        case "NSNull": .null
        case "NSString", "NSMutableString": try scalar(fields, "NS.string", "NS.bytes")
        case "NSData", "NSMutableData": try scalar(fields, "NS.data", "NS.bytes")
        case "NSUUID": try scalar(fields, "NS.uuidbytes")
        case "NSArray", "NSMutableArray":
            dereferenced(fields["NS.objects"])?.array.map(ArchivedValue.list)
                ?? .unreadable("a list without its elements")
        case "NSDictionary", "NSMutableDictionary": try dictionary(fields)
        case "NSDecimalNumber", "NSDecimalNumberPlaceholder":
            decimal(fields).map(ArchivedValue.number) ?? .unreadable("an invalid decimal number")
        default: .object(ArchivedObject(uid: uid, className: className, fields: fields))
        }
    }

    /// Returns the first of these properties that is a text or bytes; bytes are decoded as UTF-8.
    private mutating func scalar(
        _ fields: PropertyListDictionary,
        _ keys: String...
    ) throws(DocumentError) -> ArchivedValue {
        for key in keys {
            switch dereferenced(fields[key]) {
            case .text(let text)?:
                try countVisits(text.utf8.count / Self.bytesPerVisit)
                return .text(text)
            case .data(let bytes)?:
                try countVisits(bytes.count / Self.bytesPerVisit)
                guard keys.first == "NS.string" else { return .data(bytes) }
                return String(validating: bytes, as: UTF8.self).map(ArchivedValue.text)
                    ?? .unreadable("an invalid text")
            default: continue
            }
        }
        return .unreadable("an object without its \(keys[0])")
    }

    private mutating func dictionary(_ fields: PropertyListDictionary) throws(DocumentError) -> ArchivedValue {
        guard let keys = dereferenced(fields["NS.keys"])?.array, let values = dereferenced(fields["NS.objects"])?.array
        else {
            return .unreadable("a dictionary without its keys or objects")
        }
        var dictionary = PropertyListDictionary()
        for (key, value) in zip(keys, values) {
            // The key is not decoded like a value, because it could be a reference to this dictionary, without an end.
            guard let key = dereferenced(key)?.text else { continue }
            try countVisits(1 + key.utf8.count / Self.bytesPerVisit)
            dictionary.append(value, forKey: key)
        }
        return .dictionary(dictionary)
    }

    private func decimal(_ fields: PropertyListDictionary) -> JSONNumber? {
        guard case .data(let mantissa)? = dereferenced(fields["NS.mantissa"]),
            let exponent = integer(fields["NS.exponent"] ?? 0),
            let length = integer(fields["NS.length"] ?? 8)
        else { return nil }
        return ArchivedDecimal(
            mantissa: mantissa,
            length: length,
            isBigEndian: integer(fields["NS.mantissa.bo"] ?? 1) == 2,
            exponent: exponent,
            isNegative: dereferenced(fields["NS.negative"]) == .bool(true)
        )?
        .number
    }

    private func integer(_ list: PropertyList) -> Int? {
        dereferenced(list)?.integer
    }

    /// Returns the name of a class, or an empty text if the name is missing or longer than any known name.
    private mutating func className(_ list: PropertyList) throws(DocumentError) -> String {
        try countVisits(1)
        let name = dereferenced(dereferenced(list)?.dictionary?["$classname"])?.text ?? ""
        // Comparing a long name can take minutes if it is made for that purpose.
        return name.utf8.count <= Self.maximumNameLength ? name : ""
    }

    /// Returns a value or the object that it refers to, without decoding it.
    private func dereferenced(_ list: PropertyList?) -> PropertyList? {
        guard case .uid(let uid)? = list else { return list }
        return uid < objects.count ? objects[Int(uid)] : nil
    }

    /// The maximum number of bytes in the names of known classes and keys.
    static let maximumNameLength = 64

    private static let bytesPerVisit = 64
}
