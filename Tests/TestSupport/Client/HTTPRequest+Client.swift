package import HAPCore

extension HTTPRequest {
    /// The request as ``HAPClient`` sends it.
    package var message: [UInt8] {
        let methods: [HTTPMethod: String] = [.get: "GET", .put: "PUT", .post: "POST"]
        let target = path + (query.isEmpty ? "" : "?" + String(decoding: query, as: UTF8.self))
        var head = "\(methods[method] ?? "OTHER") \(target) HTTP/1.1\r\nHost: accessory\r\n"
        if !body.isEmpty {
            let isPairing = [.pairSetup, .pairVerify, .pairings].contains(endpoint)
            head += "Content-Type: application/\(isPairing ? "pairing+tlv8" : "hap+json")\r\n"
        }
        if method != .get || !body.isEmpty {
            head += "Content-Length: \(body.count)\r\n"
        }
        return Array(head.utf8) + Array("\r\n".utf8) + body
    }

    /// Reads characteristics.
    package static func read(_ ids: [CharacteristicID], includes: ReadOptions = []) -> HTTPRequest {
        let read = CharacteristicReadRequest(ids.map(CharacteristicAddress.init), options: includes)
        return HTTPRequest(.get, .characteristics, query: read.query)
    }

    /// Writes characteristics.
    package static func write(_ items: [CharacteristicWriteItem], pid: UInt64? = nil) -> HTTPRequest {
        HTTPRequest(.put, .characteristics, body: CharacteristicWriteRequest(items, pid: pid).body)
    }
}

extension HTTPMessage {
    /// The body as text.
    package var text: String {
        String(decoding: body, as: UTF8.self)
    }

    /// The values in a body with characteristics; characteristics without a value are omitted.
    package var values: [CharacteristicID: JSONValue] {
        var values: [CharacteristicID: JSONValue] = [:]
        for item in items {
            if let aid = item["aid"]?.unsigned, let iid = item["iid"]?.unsigned, let id = CharacteristicID(aid, iid) {
                values[id] = item["value"]
            }
        }
        return values
    }

    /// The statuses of a body with characteristics, in their order.
    package var statuses: [Int64?] {
        items.map { item in
            guard case .number(let status) = item["status"] else { return nil }
            return status.integer()
        }
    }

    private var items: [JSONObject] {
        let characteristics = (try? JSONValue(parsing: body))?.object?["characteristics"]?.array
        return characteristics?.compactMap(\.object) ?? []
    }
}
