/// A request `PUT /characteristics`.
///
/// HAP: §13
package struct CharacteristicWriteRequest: Sendable, Hashable {
    package var items: [CharacteristicWriteItem]
    /// The number of the prepared timed write that this executes.
    package var pid: UInt64?

    /// The maximum number of items in one request, as for a read.
    package static let maximumCount = CharacteristicReadRequest.maximumCount
    /// The maximum number of values that one request may write; further items have the status −70407.
    ///
    /// A write is executed as a whole, while other connections wait.
    package static let maximumValueCount = 512

    package init(_ items: [CharacteristicWriteItem], pid: UInt64? = nil) {
        self.items = items
        self.pid = pid
    }

    /// Parses the body of a request.
    ///
    /// Unknown keys are ignored.
    ///
    /// - Throws: `ProtocolError` for errors that make the whole request a 400: invalid JSON, no list, an item without
    ///   aid or iid, a known key with a value of the wrong type; `tooLarge` for more than ``maximumCount`` items.
    package init(parsing body: [UInt8], limits: JSONLimits = .writeRequest) throws(ProtocolError) {
        var reader = JSONReader(limits: limits)
        var contents = WriteRequestContents()
        try reader.readDocument(body.span) { reader, input throws(JSONSyntaxError) in try contents.read(&reader, input)
        }
        guard let items = contents.items else {
            throw contents.error ?? .malformedWrite("the body has no characteristics")
        }
        guard contents.itemCount <= Self.maximumCount else {
            throw ProtocolError(.tooLarge, "more characteristics than the limit", at: "PUT /characteristics")
        }
        if let fault = contents.error { throw fault }
        self.init(items, pid: contents.pid)
    }

    /// Whether a characteristic is listed twice, which makes the whole request a 422.
    package var hasDuplicates: Bool {
        guard items.count > 1 else { return false }
        var seen: Set<CharacteristicAddress> = []
        seen.reserveCapacity(items.count)
        return !items.allSatisfy { seen.insert($0.address).inserted }
    }

    /// The body of the request.
    package var body: [UInt8] {
        var writer = JSONWriter(reservingBytes: 64 + 64 * items.count, escaping: .required)
        writer.object { writer in
            writer.list("characteristics", items) { item, writer in item.writeMembers(to: &writer) }
            writer.member("pid", ifPresent: pid)
        }
        return writer.finish()
    }
}

/// One characteristic's part of `PUT /characteristics`.
///
/// HAP: §13
package struct CharacteristicWriteItem: Sendable, Hashable {
    package var address: CharacteristicAddress
    /// The new value; JSON's null counts as a value, but is never a valid one.
    package var value: JSONValue?
    /// Whether to subscribe or to unsubscribe.
    package var ev: Bool?
    /// Data for the application, as the Base64 text that arrived.
    package var authData: String?
    /// Whether a home hub passed the request on from outside.
    package var remote: Bool?
    /// Whether the value after the write is to be returned.
    package var r: Bool

    package init(
        _ address: CharacteristicAddress,
        value: JSONValue? = nil,
        ev: Bool? = nil,
        authData: String? = nil,
        remote: Bool? = nil,
        r: Bool = false
    ) {
        self.address = address
        self.value = value
        self.ev = ev
        self.authData = authData
        self.remote = remote
        self.r = r
    }

    /// The result of decoding an item's `authData`.
    package enum Authorization: Sendable, Hashable {
        case absent
        case data([UInt8])
        /// The text is not Base64. Only this item fails, with −70410.
        case malformed
    }

    /// The decoded `authData`.
    package var authorization: Authorization {
        guard let authData else { return .absent }
        return Base64.decode(authData).map(Authorization.data) ?? .malformed
    }
}

extension CharacteristicWriteItem {
    /// The size of the item in the body of a request, in bytes.
    package var byteCount: Int {
        var writer = JSONWriter(reservingBytes: 64, escaping: .required)
        writer.object { writer in writeMembers(to: &writer) }
        return writer.finish().count
    }

    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("aid", address.aid)
        writer.member("iid", address.iid)
        if let value {
            writer.key("value")
            writer.value(value)
        }
        writer.member("ev", ifPresent: ev)
        writer.member("authData", ifPresent: authData)
        writer.member("remote", ifPresent: remote)
        if r {
            writer.member("r", true)
        }
    }
}

/// The content of a write's body, parsed without building a JSON tree.
///
/// Errors in valid JSON are recorded and thrown at the end: until then, the text may turn out to be invalid JSON.
private struct WriteRequestContents {
    /// The items; `nil` if the body has no list.
    var items: [CharacteristicWriteItem]?
    /// The number of items, including those beyond the limit.
    var itemCount = 0
    var pid: UInt64?
    /// The first error.
    var error: ProtocolError?

    mutating func read(_ reader: inout JSONReader, _ input: Span<UInt8>) throws(JSONSyntaxError) {
        let isObject = try reader.readMembers(input, depth: 0) { reader, input, key throws(JSONSyntaxError) in
            if key.hasSameBytes(as: "characteristics") {
                var list: [CharacteristicWriteItem] = []
                let isList = try reader.readElements(input, depth: 1) { reader, input throws(JSONSyntaxError) in
                    try readItem(&reader, input, into: &list)
                }
                if isList { items = list }
            } else {
                let value = try reader.readValue(input, depth: 1)
                guard key.hasSameBytes(as: "pid") else { return }
                pid = checkType(value.unsigned, of: key)
            }
        }
        if !isObject { recordError("the body is no object") }
    }

    private mutating func readItem(
        _ reader: inout JSONReader,
        _ input: Span<UInt8>,
        into list: inout [CharacteristicWriteItem]
    ) throws(JSONSyntaxError) {
        var aid: UInt64?
        var iid: UInt64?
        var item = CharacteristicWriteItem(CharacteristicAddress(aid: 0, iid: 0))
        let isObject = try reader.readMembers(input, depth: 2) { reader, input, key throws(JSONSyntaxError) in
            let value = try reader.readValue(input, depth: 3)
            // No known key is longer, and comparing long texts by Unicode's rules is slow.
            guard key.utf8.count <= 8 else { return }
            switch key {
            case "aid": aid = checkType(value.unsigned, of: key)
            case "iid": iid = checkType(value.unsigned, of: key)
            case "value": item.value = value
            case "ev": item.ev = checkType(value.hapBool, of: key)
            case "authData": item.authData = checkType(value.string, of: key)
            case "remote": item.remote = checkType(value.hapBool, of: key)
            case "r": item.r = checkType(value.hapBool, of: key) ?? false
            default: break
            }
        }
        itemCount += 1
        guard isObject else { return recordError("an item is no object") }
        guard let aid, let iid else { return recordError("an item lacks aid or iid") }
        guard itemCount <= CharacteristicWriteRequest.maximumCount else { return }
        item.address = CharacteristicAddress(aid: aid, iid: iid)
        list.append(item)
    }

    /// Returns the value; records an error if it is `nil`, because the member has the wrong type.
    private mutating func checkType<Value>(_ value: Value?, of key: String) -> Value? {
        if value == nil { recordError("\(key) has the wrong type") }
        return value
    }

    private mutating func recordError(_ reason: String) {
        error = error ?? .malformedWrite(reason)
    }
}

extension ProtocolError {
    fileprivate static func malformedWrite(_ reason: String) -> ProtocolError {
        ProtocolError(.json, reason, at: "PUT /characteristics")
    }
}
