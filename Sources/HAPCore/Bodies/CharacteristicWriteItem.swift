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
