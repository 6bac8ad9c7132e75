/// What an accessory answers to a read or a write, or tells in an event.
///
/// Accessories differ, so that only what is not a JSON object at all is refused: items without numbers are left out, a
/// status that is missing or null is none, and one that cannot be read means that it could not be done.
///
/// HAP: §12, §13, §14, §26
package struct CharacteristicResponse: Sendable, Hashable {
    /// One characteristic's part.
    package struct Item: Sendable, Hashable {
        package var address: CharacteristicAddress
        /// The status as it was sent, `nil` without one, which means success.
        package var status: Int64?
        /// The value; JSON's null is a value, so that `nil` means none was sent.
        package var value: JSONValue?
        /// Whether the connection is subscribed, where that was asked for.
        package var ev: Bool?

        package init(
            _ address: CharacteristicAddress,
            status: Int64? = nil,
            value: JSONValue? = nil,
            ev: Bool? = nil
        ) {
            self.address = address
            self.status = status
            self.value = value
            self.ev = ev
        }

        /// Whether the accessory reported no fault.
        package var isSuccess: Bool {
            status ?? 0 == 0
        }
    }

    package var items: [Item]
    /// A status for the request as a whole, in place of items.
    package var status: Int64?

    /// Reads a body; an empty one has no items.
    ///
    /// - Throws: `ProtocolError` when the body is not a JSON object.
    package init(parsing body: [UInt8], limits: JSONLimits = JSONLimits()) throws(ProtocolError) {
        items = []
        guard !body.isEmpty else { return }
        guard let object = try JSONValue(parsing: body, limits: limits).object else {
            throw ProtocolError(.json, "the body is no object", at: "answer of /characteristics")
        }
        status = Self.status(object["status"])
        items = (object["characteristics"]?.array ?? [])
            .compactMap { element in
                guard let object = element.object, let aid = object["aid"]?.unsigned, let iid = object["iid"]?.unsigned
                else { return nil }
                return Item(
                    CharacteristicAddress(aid: aid, iid: iid),
                    status: Self.status(object["status"]),
                    value: object["value"],
                    ev: object["ev"]?.flag
                )
            }
    }

    /// A status as accessories write it, also as text; what is there and is none is a failure of some kind.
    private static func status(_ json: JSONValue?) -> Int64? {
        switch json {
        case nil, .null: nil
        case .number(let number): number.integer() ?? unreadable
        case .string(let text): Int64(text) ?? unreadable
        case .bool, .array, .object: unreadable
        }
    }

    private static let unreadable = Int64(HAPStatus.unableToPerform.rawValue)
}
