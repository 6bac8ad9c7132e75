package import HAPCore

extension JSONValue {
    /// Returns the accessories of a dump or of a response to `GET /accessories` in a normal form.
    ///
    /// Types are full UUIDs if HAP defines a form for them, Booleans are numbers, defaults are written out, and members
    /// are sorted by key.
    ///
    /// - Parameter keys: The members that a server does not copy: `ev`, and those that HAP does not define.
    package func accessoriesForComparison(dropping keys: Set<String> = ["ev"]) -> [JSONValue] {
        (array ?? object?["accessories"]?.array ?? [])
            .map { accessory in
                var accessory = accessory.object ?? [:]
                accessory["services"] = .array((accessory["services"]?.array ?? []).map { $0.service(dropping: keys) })
                return .object(accessory.sorted)
            }
    }

    private func service(dropping keys: Set<String>) -> JSONValue {
        var service = object ?? [:]
        service["type"] = service["type"]?.fullType
        service["primary"] = .bool(service["primary"]?.hapBool ?? false)
        service["hidden"] = .bool(service["hidden"]?.hapBool ?? false)
        service["linked"] = service["linked"] ?? []
        let characteristics = service["characteristics"]?.array ?? []
        service["characteristics"] = .array(characteristics.map { $0.characteristic(dropping: keys) })
        return .object(service.sorted)
    }

    private func characteristic(dropping keys: Set<String>) -> JSONValue {
        var characteristic = object ?? [:]
        characteristic["type"] = characteristic["type"]?.fullType
        switch characteristic["value"] {
        case .bool(let value): characteristic["value"] = value ? 1 : 0
        case .null: characteristic["value"] = nil
        case nil, .number, .string, .array, .object: break
        }
        for key in keys {
            characteristic[key] = nil
        }
        return .object(characteristic.sorted)
    }

    private var fullType: JSONValue? {
        string.map { .string(HAPUUID($0)?.description ?? $0) }
    }
}

extension JSONObject {
    fileprivate var sorted: JSONObject {
        JSONObject(uniqueMembers: members.sorted { $0.key < $1.key })
    }
}
