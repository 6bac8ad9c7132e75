package import Documents
package import HAPCore
internal import Resources

/// A line of a trace: a JSON object.
package struct TraceRecord: Sendable {
    /// The kinds of records.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The first line, with the version of the format.
        case trace
        /// The accessories of a server, as a controller reads them.
        case accessories
        case request
        case response
        case event
        /// A driver has received a message of a peer.
        case received
        /// A driver has sent a message to a peer.
        case sent
        /// A connection has closed.
        case closed
        /// Records were left out, because the disk was too slow.
        case dropped
    }

    /// The version of the format.
    package static let version = 1

    package var kind: Kind
    package var time: EventTime?
    /// The time as it was written.
    package var timeText: String?
    package var server: String?
    package var connection: UInt64?
    package var controller: String?
    /// The key of the accessory whose driver has exchanged a message with a peer.
    package var accessory: String?
    package var peer: UInt64?
    package var source: String?
    package var destination: String?
    package var method: String?
    package var path: String?
    package var query: String?
    package var status: Int?
    /// The JSON body; without secrets.
    package var body: JSONValue?
    /// The number of bytes of a body that is not shown: a binary one, or one with secrets.
    package var hiddenBytes: Int?

    package init(_ kind: Kind) {
        self.kind = kind
    }

    /// The record as one line.
    package var line: String {
        Self.format.json(self) + "\n"
    }

    package static let format = Format<TraceRecord>(
        response: "TraceRecord",
        .written("kind", \.kind.rawValue, .word(Kind.allCases.map(\.rawValue)), "The kind of record."),
        .written("version", \.writtenVersion, .count, "The version of the format, in the first line only."),
        .written("time", \.writtenTime, .string, "The time."),
        .written("server", \.server, .string, "The key of the server."),
        .written("session", \.connection, .id, "The number of the connection."),
        .written("controller", \.controller, .string, "The identifier of the verified controller."),
        .written("accessory", \.accessory, .string, "The key of the accessory of a driver."),
        .written("peer", \.peer, .id, "The number of a driver's peer."),
        .written("from", \.source, .string, "Who has sent a message of a driver."),
        .written("to", \.destination, .string, "For whom a message of a driver is."),
        .written("method", \.method, .string, "The method of the request."),
        .written("path", \.path, .string, "The path of the request, or the namespace of a driver's message."),
        .written("query", \.query, .string, "The query of the request."),
        .written("status", \.status, .integer, "The status of the response."),
        .written("body", \.body, .json, "The JSON body, without secrets."),
        .written("hiddenBytes", \.hiddenBytes, .integer, "The size of a body that is not shown.")
    )

    private var writtenVersion: Int? { kind == .trace ? Self.version : nil }
    private var writtenTime: String? { time?.text ?? timeText }

    /// Reads a line; returns `nil` if it is not a record.
    package init?(line: some StringProtocol) {
        guard let object = try? JSONValue(parsing: Array(line.utf8)).object,
            let kind = object["kind"]?.string.flatMap(Kind.init(rawValue:))
        else { return nil }
        self.kind = kind
        if kind == .trace, object["version"]?.unsigned != UInt64(Self.version) { return nil }
        timeText = object["time"]?.string
        server = object["server"]?.string
        connection = object["session"]?.unsigned
        controller = object["controller"]?.string
        accessory = object["accessory"]?.string
        peer = object["peer"]?.unsigned
        source = object["from"]?.string
        destination = object["to"]?.string
        method = object["method"]?.string
        path = object["path"]?.string
        query = object["query"]?.string
        status = object["status"]?.unsigned.flatMap { Int(exactly: $0) }
        body = object["body"]
        hiddenBytes = object["hiddenBytes"]?.unsigned.flatMap { Int(exactly: $0) }
    }
}

extension TraceRecord {
    /// Sets the body of a message: JSON without secrets, or the size of anything else.
    ///
    /// - Parameters:
    ///   - isSecret: Whether the message belongs to pairing, whose content is never shown.
    ///   - shown: The characteristics whose values are shown. Those of bytes, which contain tokens and keys of cameras
    ///     and locks, are not among them, and neither is a characteristic that was added since.
    mutating func setBody(_ bytes: [UInt8], isSecret: Bool, showing shown: Set<CharacteristicID> = []) {
        guard !bytes.isEmpty else { return }
        guard !isSecret, let json = try? JSONValue(parsing: bytes) else {
            hiddenBytes = bytes.count
            return
        }
        body = json.withoutSecrets(shown)
    }
}

extension JSONValue {
    /// The keys of numbers, Booleans, lists and objects that contain no secret.
    private static let harmlessKeys: Set<String> = [
        "accessories", "services", "characteristics", "aid", "iid", "linked", "primary", "hidden", "perms", "ev", "r",
        "remote", "status", "pid", "ttl", "minValue", "maxValue", "minStep", "maxLen", "maxDataLen", "valid-values",
        "valid-values-range",
    ]
    /// The keys of strings that contain no secret.
    private static let harmlessTextKeys: Set<String> = ["type", "format", "unit", "description", "perms"]
    private static let replacement = JSONValue.string("(hidden)")

    /// Returns the value with everything replaced that is not known to be harmless, at any depth: strings and members with
    /// other keys, and the values of all but some characteristics.
    ///
    /// - Parameters:
    ///   - shown: The characteristics whose values are shown.
    ///   - aid: The accessory that contains the value.
    ///   - key: The key of the value or of the list that contains it; `nil` at the top.
    fileprivate func withoutSecrets(_ shown: Set<CharacteristicID>, of aid: UInt64? = nil, key: String? = nil)
        -> JSONValue
    {
        switch self {
        case .array(let elements): return .array(elements.map { $0.withoutSecrets(shown, of: aid, key: key) })
        case .object(let object):
            let aid = object["aid"]?.unsigned ?? aid
            let id = aid.flatMap { aid in object["iid"]?.unsigned.flatMap { CharacteristicID(aid, $0) } }
            let showsValue = id.map(shown.contains) ?? false
            let members = object.members.map { member in
                let value =
                    showsValue && member.key == "value" && member.value.isScalar
                    ? member.value : member.value.withoutSecrets(shown, of: aid, key: member.key)
                return JSONObject.Member(key: member.key, value: value)
            }
            return .object(JSONObject(uniqueMembers: members))
        case .string: return key.map(Self.harmlessTextKeys.contains) ?? false ? self : Self.replacement
        case .null, .bool, .number: return key.map(Self.harmlessKeys.contains) ?? false ? self : Self.replacement
        }
    }

    private var isScalar: Bool {
        switch self {
        case .null, .bool, .number, .string: true
        case .array, .object: false
        }
    }
}
