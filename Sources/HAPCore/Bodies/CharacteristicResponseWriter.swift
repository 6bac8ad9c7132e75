/// Writes `{"characteristics":[…]}`, the body of reads, of writes that answer more than 204, and of events.
///
/// Between ``beginItem(_:status:)`` and ``endItem()`` the caller adds members through ``json``. In a 207 every item
/// has a status, in a 200 and in an event none has one.
///
/// HAP: §12, §13, §14
package struct CharacteristicResponseWriter: Sendable {
    /// Takes the members of the item that was begun.
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
