internal import AccessoryModel
package import HAPCore

/// Reads what an accessory server answers to `GET /accessories`.
///
/// HAP: §11.4
package enum RemoteDatabase {
    /// Reads a body.
    package static func read(_ body: [UInt8]) throws(ProtocolError) -> [RemoteAccessory] {
        let json = try JSONValue(parsing: body, limits: JSONLimits(maximumValues: 1_000_000))
        guard let list = json.object?["accessories"]?.array else {
            throw ProtocolError(.json, "there are no accessories", at: "answer of /accessories")
        }
        return list.compactMap { accessory in
            guard let aid = accessory.object?["aid"]?.unsigned.flatMap(AccessoryID.init) else { return nil }
            let services = accessory.object?["services"]?.array ?? []
            return RemoteAccessory(aid: aid, services: services.compactMap(service))
        }
    }

    private static func service(_ json: JSONValue) -> RemoteService? {
        guard let iid = json.object?["iid"]?.unsigned.flatMap(InstanceID.init),
            let uuid = json.object?["type"]?.string.flatMap({ HAPUUID($0) })
        else { return nil }
        let characteristics = json.object?["characteristics"]?.array ?? []
        return RemoteService(
            iid: iid,
            type: ServiceType(uuid),
            characteristics: characteristics.compactMap(characteristic)
        )
    }

    private static func characteristic(_ json: JSONValue) -> RemoteCharacteristic? {
        guard let object = json.object, let iid = object["iid"]?.unsigned.flatMap(InstanceID.init),
            let uuid = object["type"]?.string.flatMap({ HAPUUID($0) })
        else { return nil }
        let format = object["format"]?.string.flatMap(CharacteristicFormat.init) ?? .string
        let permissions = (object["perms"]?.array ?? []).compactMap(\.string)
            .compactMap { CharacteristicPermissions(name: $0) }
        var characteristic = RemoteCharacteristic(
            iid: iid,
            type: CharacteristicType(uuid),
            permissions: permissions.reduce(into: []) { $0.formUnion($1) },
            metadata: CharacteristicMetadata(format: format)
        )
        characteristic.value = object["value"].flatMap { characteristic.value(from: $0) }
        return characteristic
    }
}
