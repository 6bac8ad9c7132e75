import FuzzHarness
import HAPCore

/// The invariants of every JSON body that a server sends.
enum ResponseCheck {
    static func check(_ body: [UInt8]) {
        guard let object = (try? JSONValue(parsing: body))?.object else {
            fatalError("does not hold: a body is a JSON object")
        }
        if let accessories = object["accessories"]?.array {
            for accessory in accessories {
                check(services: accessory.object?["services"]?.array ?? [])
            }
        } else if let items = object["characteristics"]?.array {
            check(items: items)
        } else {
            let status = object["status"]?.number?.integer(as: Int32.self).flatMap(HAPStatus.init)
            claim(status != nil, "a body without characteristics tells a status of HAP's")
        }
    }

    /// Checks that either all items have a status, as in a 207 response, or none, as in a 200 response.
    private static func check(items: [JSONValue]) {
        let statuses = items.map { $0.object?["status"]?.number?.integer(as: Int32.self) }
        claim(statuses.allSatisfy { $0 == nil } || statuses.allSatisfy { $0 != nil }, "all items have a status or none")
        for (item, status) in zip(items, statuses) {
            claim(status.map { HAPStatus(rawValue: $0) != nil } ?? true, "a status is one of HAP's")
            claim((status ?? 0) == 0 || item.object?["value"] == nil, "what has failed has no value")
        }
    }

    private static func check(services: [JSONValue]) {
        for service in services {
            for characteristic in service.object?["characteristics"]?.array ?? [] {
                guard let object = characteristic.object else { fatalError("does not hold: each is an object") }
                check(characteristic: object)
            }
        }
    }

    /// Checks that a value is valid for the metadata of its characteristic.
    private static func check(characteristic object: JSONObject) {
        guard let value = object["value"], let format = object["format"]?.string else { return }
        switch format {
        case "bool": claim(value.hapBool != nil, "a bool is one")
        case "string":
            let limit = object["maxLen"]?.unsigned ?? 64
            claim(value.string.map { $0.utf8.count <= limit } ?? (value.isNull), "a text is within its length")
        case "tlv8", "data":
            claim(value.string.flatMap(Base64.decode) != nil, "bytes are Base64")
        default:
            guard let number = value.number else {
                claim(value.isNull, "a number is one")
                return
            }
            if let minimum = object["minValue"]?.number {
                claim(minimum <= number, "a number is not below its minimum")
            }
            if let maximum = object["maxValue"]?.number {
                claim(number <= maximum, "a number is not above its maximum")
            }
        }
    }
}

extension JSONValue {
    fileprivate var isNull: Bool {
        if case .null = self { true } else { false }
    }
}
