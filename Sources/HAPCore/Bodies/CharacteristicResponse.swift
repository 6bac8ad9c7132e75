/// An accessory's response to a read or a write, or an event.
///
/// Accessories differ, so only a body that is not a JSON object is refused: items without ids are omitted, a missing or
/// null status counts as absent, and an unreadable one as a failure.
///
/// HAP: §12, §13, §14, §26
package struct CharacteristicResponse: Sendable, Hashable {
    /// One characteristic's part.
    package struct Item: Sendable, Hashable {
        package var address: CharacteristicAddress
        /// The status as it was sent; `nil` if absent, which means success.
        package var status: Int64?
        /// The value; JSON's null is a value, and `nil` means that none was sent.
        package var value: JSONValue?
        /// Whether the connection is subscribed, if that was requested.
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
                    ev: object["ev"]?.hapBool
                )
            }
    }

    /// Returns a status in any form that accessories use, also as text; an invalid one counts as a failure.
    private static func status(_ json: JSONValue?) -> Int64? {
        switch json {
        case nil, .null: nil
        case .number(let number): number.integer() ?? unreadableStatus
        case .string(let text): Int64(text) ?? unreadableStatus
        case .bool, .array, .object: unreadableStatus
        }
    }

    private static let unreadableStatus = Int64(HAPStatus.unableToPerform.rawValue)
}

/// Writes `{"characteristics":[…]}`, the body of reads, of writes with results, and of events.
///
/// Between ``beginItem(_:status:)`` and ``endItem()`` the caller adds members through ``json``. In a 207 every item has
/// a status; in a 200 and in an event none has one.
///
/// HAP: §12, §13, §14
package struct CharacteristicResponseWriter: Sendable {
    /// The writer for the members of the current item.
    package var json: JSONWriter

    /// Begins a body.
    package init(reservingBytes capacity: Int = 96) {
        json = JSONWriter(reservingBytes: capacity, escaping: .required)
        json.raw("{\"characteristics\":[")
    }

    /// Begins an item with its numbers and, where one is given, its status.
    package mutating func beginItem(_ address: CharacteristicAddress, status: HAPStatus? = nil) {
        json.beginObject()
        json.raw("\"aid\":")
        json.value(address.aid)
        json.raw(",\"iid\":")
        json.value(address.iid)
        if let status {
            json.raw(",\"status\":")
            json.value(Int64(status.rawValue))
        }
    }

    /// Ends the item.
    package mutating func endItem() {
        json.endObject()
    }

    /// Ends the body and returns it.
    package consuming func finish() -> [UInt8] {
        json.endArray()
        json.endObject()
        return json.finish()
    }
}

/// The size limit of one response or event, applied before anything is composed.
///
/// A response or an event has at most ``maximumBytes``, or one value that is larger. An item that does not fit has the
/// status −70407 in place of its value.
///
/// HAP: §12, §13, §14, §15
package struct ResponseBudget: Sendable {
    /// The most bytes of a body with several values.
    package static let maximumBytes = 1 << 20
    /// The most bytes of the JSON of one value: 2 MiB in Base64, with room to spare.
    ///
    /// HAP: §11.4 (maxDataLen)
    package static let maximumValueBytes = 3 << 20
    /// The size of a value that always fits into the response to a read of it alone, in bytes.
    package static let guaranteedValueBytes = 16 << 10
    /// The most bytes of an item without its value, with what encloses all items.
    package static let itemOverheadBytes = 96

    private var remaining: Int
    /// The most bytes of the first value.
    private var firstValueLimit: Int

    /// Creates a writer with room for a number of items without values.
    ///
    /// - Parameter availableBytes: The bytes that other connections do not use.
    package init(itemCount: Int, availableBytes: Int = .max) {
        let items = (itemCount + 1) * Self.itemOverheadBytes
        remaining = min(Self.maximumBytes, availableBytes) - items
        firstValueLimit = max(0, min(Self.maximumValueBytes + items, availableBytes) - items)
    }

    /// Reserves room for another item with a value of at most this many bytes; returns `false`, and reserves nothing,
    /// if there is none.
    package mutating func reserveItem(_ bytes: Int) -> Bool {
        guard bytes <= firstValueLimit || bytes + Self.itemOverheadBytes <= remaining else { return false }
        remaining -= bytes + Self.itemOverheadBytes
        firstValueLimit = 0
        return true
    }

    /// Reserves room for a value of at most this many bytes; returns `false`, and reserves nothing, if there is none.
    package mutating func reserveValue(_ bytes: Int) -> Bool {
        guard bytes <= max(remaining, firstValueLimit) else { return false }
        remaining -= bytes
        // The first value may be larger than all the rest could be together.
        firstValueLimit = 0
        return true
    }
}

/// The body of a response that concerns a whole JSON request: `{"status":…}`.
///
/// HAP: §10, §13
package enum StatusBody {
    /// The body.
    package static func bytes(of status: HAPStatus) -> [UInt8] {
        var writer = JSONWriter(reservingBytes: 20, escaping: .required)
        writer.beginObject()
        writer.key(plain: "status")
        writer.value(Int64(status.rawValue))
        writer.endObject()
        return writer.finish()
    }
}
