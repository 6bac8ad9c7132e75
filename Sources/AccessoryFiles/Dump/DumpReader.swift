internal import AccessoryModel
internal import HAPCore

/// Reads what a device answered to `GET /accessories`: a JSON array of accessories, or an object with `accessories`.
///
/// A dump is not corrected: what is odd in it comes with a warning and is served as it stands. What it lacks and must not
/// lack on the wire, a format, permissions or an id, is added. Refused is only what could not be served without breaking
/// a promise: ids that occur twice or are no ids, more accessories than a server has, a text that is no JSON.
struct DumpReader {
    let name: String
    var findings: DumpFindings

    /// How much JSON a dump may be: a hundred and fifty accessories with more than a hundred characteristics each.
    private static let limits = JSONLimits(maximumDepth: 32, maximumValues: 300_000)

    /// Whether a file is a dump and not a definition in JSON, by how it begins and the keys in its first two levels.
    static func recognizes(_ bytes: [UInt8]) -> Bool {
        DumpOutline(bytes).isDump
    }

    /// Reads a dump.
    ///
    /// - Throws: ``AccessoryFileError`` with everything for which it is refused.
    static func read(_ bytes: [UInt8], name: String) throws(AccessoryFileError) -> AccessoryFileReading {
        let text = bytes.starts(with: DumpOutline.byteOrderMark) ? Array(bytes.dropFirst(3)) : bytes
        let root: JSONValue
        do throws(ProtocolError) {
            root = try JSONValue(parsing: text, limits: limits)
        } catch {
            let position = TextPosition(of: error, in: text)
            throw AccessoryFileError([
                FileFinding(.error, in: name, at: position, DumpFault.reason(of: error, within: limits))
            ])
        }
        var reader = DumpReader(name: name, findings: DumpFindings(name: name))
        let document = reader.document(root)
        let warnings = try reader.findings.finish()
        guard let document else {
            preconditionFailure("without an error there is a document")
        }
        return AccessoryFileReading(kind: .dump, document: document, warnings: warnings)
    }

    private mutating func document(_ root: JSONValue) -> AccessoryDocument? {
        guard let list = list(root) else { return nil }
        guard list.count <= AttributeDatabase.maximumAccessories else {
            findings.refuse(
                "accessories",
                "\(list.count) accessories are more than the \(AttributeDatabase.maximumAccessories) of a server"
            )
            return nil
        }
        var accessories: [FoundAccessory] = []
        for (position, element) in list.enumerated() {
            if let accessory = accessory(element, at: "accessories[\(position)]") {
                accessories.append(accessory)
            }
        }
        number(&accessories)
        guard let main = accessories.first(where: { $0.aid == .primary }) ?? accessories.first else {
            findings.refuse("", "there is no accessory to serve")
            return nil
        }
        let title = main.name ?? String(titleOfFile: name)
        var keys: Set<String> = []
        let documented = accessories.map { accessory in
            let fallback = "Accessory \(accessory.aid?.rawValue ?? 0)"
            let key = (accessory.name ?? fallback).unique(among: &keys)
            return DocumentedAccessory(key: key, services: accessory.services, aid: accessory.aid)
        }
        let isBridge = accessories.count > 1
        return AccessoryDocument(
            key: title,
            name: title,
            category: isBridge ? .bridge : main.category,
            accessories: documented,
            isVerbatim: true
        )
    }

    private mutating func list(_ root: JSONValue) -> [JSONValue]? {
        if let list = root.array { return list }
        guard let object = root.object else {
            findings.refuse("", "this is no dump; one is an array of accessories, or an object with \"accessories\"")
            return nil
        }
        guard let list = object["accessories"]?.array else {
            findings.refuse("accessories", "a dump has an array of accessories here")
            return nil
        }
        for member in object.members where member.key != "accessories" {
            findings.leaveOut(member.key, at: member.key.excerpt)
        }
        return list
    }

    /// Gives numbers to accessories that have none.
    private mutating func number(_ accessories: inout [FoundAccessory]) {
        var taken: Set<AccessoryID> = []
        for accessory in accessories {
            guard let aid = accessory.aid else { continue }
            if !taken.insert(aid).inserted {
                findings.refuse("\(accessory.path).aid", "another accessory has the aid \(aid), too")
            }
        }
        var ids = DumpNumbers(besides: taken.lazy.map(\.rawValue))
        for position in accessories.indices where accessories[position].aid == nil {
            let path = accessories[position].path
            guard !findings.hasError(at: "\(path).aid") else { continue }
            let next = ids.next()
            accessories[position].aid = AccessoryID(next)
            findings.warn(path, "it has no \"aid\"; it gets \(next)")
        }
    }
}

extension TextPosition {
    /// Where the JSON reader stopped; `nil` when it does not say.
    fileprivate init?(of error: ProtocolError, in text: [UInt8]) {
        guard let offset = error.location.split(separator: " ").last.flatMap({ Int($0) }), offset <= text.count else {
            return nil
        }
        self.init(ofByteAt: offset, in: text)
    }
}
