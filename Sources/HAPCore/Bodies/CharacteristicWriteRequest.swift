/// What `PUT /characteristics` asks for.
///
/// HAP: §13
package struct CharacteristicWriteRequest: Sendable, Hashable {
    package var items: [CharacteristicWriteItem]
    /// The number of the prepared timed write that this executes.
    package var pid: UInt64?

    /// How many items one request may have, as many as a read may name.
    package static let maximumCount = CharacteristicReadRequest.maximumCount
    /// How many values one request may write; an item beyond them has the status −70407.
    ///
    /// A write is carried out as a whole, and other connections wait meanwhile.
    package static let maximumValueCount = 512

    package init(_ items: [CharacteristicWriteItem], pid: UInt64? = nil) {
        self.items = items
        self.pid = pid
    }

    /// Reads the body of a request.
    ///
    /// Unknown keys are ignored.
    ///
    /// - Throws: `ProtocolError` for what makes the whole request a 400: no JSON, no list, an item without aid or iid,
    ///   a known key with a value of the wrong type; `tooLarge` for more than ``maximumCount`` items.
    package init(parsing body: [UInt8], limits: JSONLimits = .writeRequest) throws(ProtocolError) {
        guard let object = try JSONValue(parsing: body, limits: limits).object else {
            throw Self.fault("the body is no object")
        }
        guard let list = object["characteristics"]?.array else { throw Self.fault("the body has no characteristics") }
        guard list.count <= Self.maximumCount else {
            throw ProtocolError(.tooLarge, "more characteristics than the limit", at: "PUT /characteristics")
        }
        items = []
        items.reserveCapacity(list.count)
        for item in list {
            items.append(try CharacteristicWriteItem(item))
        }
        if let pid = object["pid"] {
            guard let number = pid.unsigned else { throw Self.fault("pid has the wrong type") }
            self.pid = number
        }
    }

    /// Whether a characteristic is named twice, which makes the whole request a 422.
    package var hasDuplicates: Bool {
        guard items.count > 1 else { return false }
        var seen: Set<CharacteristicAddress> = []
        seen.reserveCapacity(items.count)
        return !items.allSatisfy { seen.insert($0.address).inserted }
    }

    /// The body of the request.
    package var body: [UInt8] {
        var writer = JSONWriter(reservingBytes: 64 + 64 * items.count, escaping: .required)
        writer.beginObject()
        writer.key(plain: "characteristics")
        writer.beginArray()
        for item in items {
            item.write(to: &writer)
        }
        writer.endArray()
        if let pid {
            writer.key(plain: "pid")
            writer.value(pid)
        }
        writer.endObject()
        return writer.finish()
    }

    private static func fault(_ reason: String) -> ProtocolError {
        ProtocolError(.json, reason, at: "PUT /characteristics")
    }
}

/// One characteristic's part of `PUT /characteristics`.
///
/// HAP: §13
package struct CharacteristicWriteItem: Sendable, Hashable {
    package var address: CharacteristicAddress
    /// The new value; JSON's null is a value, if never a valid one.
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

    /// What an item's `authData` comes to.
    package enum Authorization: Sendable, Hashable {
        case absent
        case data([UInt8])
        /// Not Base64, which concerns this item alone: −70410.
        case malformed
    }

    /// The decoded `authData`.
    package var authorization: Authorization {
        guard let authData else { return .absent }
        return Base64.decode(authData).map(Authorization.data) ?? .malformed
    }
}

extension CharacteristicWriteItem {
    init(_ json: JSONValue) throws(ProtocolError) {
        guard let object = json.object else { throw Self.fault("an item is no object") }
        guard let aid = try Self.member("aid", of: object, as: \.unsigned),
            let iid = try Self.member("iid", of: object, as: \.unsigned)
        else { throw Self.fault("an item lacks aid or iid") }
        address = CharacteristicAddress(aid: aid, iid: iid)
        value = object["value"]
        ev = try Self.member("ev", of: object, as: \.flag)
        authData = try Self.member("authData", of: object, as: \.string)
        remote = try Self.member("remote", of: object, as: \.flag)
        r = try Self.member("r", of: object, as: \.flag) ?? false
    }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key(plain: "aid")
        writer.value(address.aid)
        writer.key(plain: "iid")
        writer.value(address.iid)
        if let value {
            writer.key(plain: "value")
            writer.value(value)
        }
        if let ev {
            writer.key(plain: "ev")
            writer.value(ev)
        }
        if let authData {
            writer.key(plain: "authData")
            writer.value(authData)
        }
        if let remote {
            writer.key(plain: "remote")
            writer.value(remote)
        }
        if r {
            writer.key(plain: "r")
            writer.value(true)
        }
        writer.endObject()
    }

    /// The value of a known key, `nil` without one.
    private static func member<Value>(
        _ key: String,
        of object: JSONObject,
        as kind: (JSONValue) -> Value?
    ) throws(ProtocolError) -> Value? {
        guard let member = object[key] else { return nil }
        guard let value = kind(member) else { throw fault("\(key) has the wrong type") }
        return value
    }

    private static func fault(_ reason: String) -> ProtocolError {
        ProtocolError(.json, reason, at: "PUT /characteristics")
    }
}
