/// An accessory's response to a read or a write, or an event.
///
/// Accessories differ, so only a body that is not a JSON object is refused. A missing or null status counts as absent,
/// and an unreadable status as a failure. Items without ids are omitted, except for their statuses if no item has ids.
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
    /// The statuses of the items if no item has ids, as in the responses of a Somfy TaHoma to writes.
    package var statusesWithoutIDs: [Int64] = []

    /// Reads a body; an empty one has no items.
    ///
    /// - Throws: `ProtocolError` when the body is not a JSON object.
    package init(parsing body: [UInt8], limits: JSONLimits = .accessoryMessage) throws(ProtocolError) {
        items = []
        guard !body.isEmpty else { return }
        guard let object = try JSONValue(parsing: body, limits: limits).object else {
            throw ProtocolError(.json, "the body is no object", at: "answer of /characteristics")
        }
        status = Self.status(object["status"])
        let list = (object["characteristics"]?.array ?? []).compactMap(\.object)
        items = list.compactMap { object in
            guard let aid = object["aid"]?.unsigned, let iid = object["iid"]?.unsigned else { return nil }
            return Item(
                CharacteristicAddress(aid: aid, iid: iid),
                status: Self.status(object["status"]),
                value: object["value"],
                ev: object["ev"]?.hapBool
            )
        }
        if items.isEmpty {
            statusesWithoutIDs = list.compactMap { Self.status($0["status"]) }
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

    /// Begins an item with its address and, if given, its status.
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
/// A response or an event has at most ``maximumBytes``; only its first value may be larger. An item that does not fit
/// has the status −70407 in place of its value.
///
/// HAP: §12, §13, §14, §15
package struct ResponseBudget: Sendable {
    /// The maximum size of a body with several values, in bytes.
    package static let maximumBytes = 1 << 20
    /// The maximum size of the JSON of one value, in bytes: 2 MiB of data in Base64, with room to spare.
    ///
    /// HAP: §11.4 (maxDataLen)
    package static let maximumValueBytes = 3 << 20
    /// The size of a value that always fits into the response to a read of it alone, in bytes.
    package static let guaranteedValueBytes = 16 << 10
    /// The maximum size of an item without its value, in bytes; also of the text around all items.
    package static let itemOverheadBytes = 96

    private var remaining: Int
    /// The maximum size of the first value, in bytes.
    private var firstValueLimit: Int

    /// Creates a budget in which a number of items without values are already reserved.
    ///
    /// - Parameter availableBytes: The bytes that other connections do not use.
    package init(itemCount: Int, availableBytes: Int = .max) {
        let items = (itemCount + 1) * Self.itemOverheadBytes
        remaining = min(Self.maximumBytes, availableBytes) - items
        firstValueLimit = max(0, min(Self.maximumValueBytes + items, availableBytes) - items)
    }

    /// Reserves room for another item with a value of at most this many bytes.
    ///
    /// If there is no room, reserves nothing and returns `false`.
    package mutating func reserveItem(_ bytes: Int) -> Bool {
        guard bytes <= firstValueLimit || bytes + Self.itemOverheadBytes <= remaining else { return false }
        remaining -= bytes + Self.itemOverheadBytes
        firstValueLimit = 0
        return true
    }

    /// Reserves room for a value of at most this many bytes.
    ///
    /// If there is no room, reserves nothing and returns `false`.
    package mutating func reserveValue(_ bytes: Int) -> Bool {
        guard bytes <= max(remaining, firstValueLimit) else { return false }
        remaining -= bytes
        // Only the first value may exceed the limit for the whole body.
        firstValueLimit = 0
        return true
    }
}

/// The body of a response that concerns a whole JSON request: `{"status":…}`.
///
/// HAP: §10, §13
package enum StatusBody {
    /// Returns the body with a status.
    package static func bytes(of status: HAPStatus) -> [UInt8] {
        var writer = JSONWriter(reservingBytes: 20, escaping: .required)
        writer.beginObject()
        writer.key(plain: "status")
        writer.value(Int64(status.rawValue))
        writer.endObject()
        return writer.finish()
    }
}
