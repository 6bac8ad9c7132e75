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
