internal import Documents
internal import HAPCore

/// A graph of objects, as `NSKeyedArchiver` writes it.
///
/// Nothing is followed but what is asked for, and no class is ever made: so it does not matter that the graph has cycles.
/// Every look costs, and there is a limit to all together, because a small file can name one large object very often.
///
/// [NSKeyedArchiver](https://developer.apple.com/documentation/foundation/nskeyedarchiver)
struct KeyedArchive {
    /// How many values may be looked at; texts and bytes count by their length, too.
    static let maximumVisits = 1_000_000

    /// What everything else is reached from.
    let root: PropertyList

    private let objects: [PropertyList]
    private let name: String
    private var remainingVisits = Self.maximumVisits

    /// Takes a property list apart.
    ///
    /// - Throws: ``DocumentError`` when it is no keyed archive.
    init(_ list: PropertyList, name: String) throws(DocumentError) {
        func fault(_ path: String, _ reason: String) -> DocumentError {
            DocumentError(in: name, path: path, reason)
        }
        guard let dictionary = list.dictionary else {
            throw fault("", "the property list is no dictionary, and so no keyed archive")
        }
        guard dictionary["$archiver"]?.text?.hasSameBytes(as: "NSKeyedArchiver") == true else {
            throw fault("$archiver", "this property list was not written by NSKeyedArchiver; only such ones are read")
        }
        guard let objects = dictionary["$objects"]?.array, !objects.isEmpty else {
            throw fault("$objects", "the archive has no objects; the file is damaged, so export it anew")
        }
        guard let root = dictionary["$top"]?.dictionary?["root"] else {
            throw fault(
                "$top.root",
                "the archive does not say what its root is; the file is damaged, so export it anew"
            )
        }
        self.objects = objects
        self.root = root
        self.name = name
    }

    /// What a value is, where it stands or where it refers to.
    ///
    /// - Throws: ``DocumentError`` when too many values have been looked at.
    mutating func value(_ list: PropertyList) throws(DocumentError) -> ArchivedValue {
        guard case .uid(let uid) = list else { return try content(list, uid: nil) }
        try countVisits(1)
        guard uid != 0 else { return .null }
        guard uid < objects.count else {
            return .unreadable("a reference to object \(uid), and the last one is \(objects.count - 1)")
        }
        let target = objects[Int(uid)]
        if case .uid = target { return .unreadable("a reference to a reference") }
        return try content(target, uid: uid)
    }

    /// Takes `cost` off what may still be looked at.
    mutating func countVisits(_ cost: Int) throws(DocumentError) {
        guard cost <= remainingVisits else {
            throw DocumentError(
                in: name,
                "the archive's objects refer to each other more than \(Self.maximumVisits) times in all"
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
            return JSONNumber(value).map(ArchivedValue.number) ?? .unreadable("\(value), which is not finite")
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
                ?? .unreadable("a list without its objects")
        case "NSDictionary", "NSMutableDictionary": try dictionary(fields)
        case "NSDecimalNumber", "NSDecimalNumberPlaceholder":
            decimal(fields).map(ArchivedValue.number) ?? .unreadable("a decimal number that is none")
        default: .object(ArchivedObject(uid: uid, className: className, fields: fields))
        }
    }

    /// The first of these properties, which is a text or bytes; bytes of a text are its UTF-8.
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
                return String(validating: bytes, as: UTF8.self).map(ArchivedValue.text) ?? .unreadable("a broken text")
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
            // As it is written: a key that is looked at as a value could be this dictionary.
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
        switch dereferenced(list) {
        case .unsigned(let value)?: Int(exactly: value)
        case .negative(let value)?: Int(value)
        default: nil
        }
    }

    /// The name of a class, empty when there is none that a class could have.
    private mutating func className(_ list: PropertyList) throws(DocumentError) -> String {
        try countVisits(1)
        let name = dereferenced(dereferenced(list)?.dictionary?["$classname"])?.text ?? ""
        // Names are compared, which takes long where they are long and made for that.
        return name.utf8.count <= Self.maximumNameLength ? name : ""
    }

    /// What stands here or where this refers to, as it is written.
    private func dereferenced(_ list: PropertyList?) -> PropertyList? {
        guard case .uid(let uid)? = list else { return list }
        return uid < objects.count ? objects[Int(uid)] : nil
    }

    /// How long names of classes and keys are that anybody could know.
    static let maximumNameLength = 64

    private static let bytesPerVisit = 64
}
