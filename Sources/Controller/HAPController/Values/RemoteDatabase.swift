internal import AccessoryModel
package import HAPCore

/// Reads an accessory server's response to `GET /accessories`.
///
/// Devices deviate in many ways, and a controller must accept all of them: missing members are taken from Apple's
/// catalog or derived from the value, unknown members are ignored, and objects that cannot be addressed are omitted. Of
/// two characteristics or accessories with the same id, the first is used. One invalid object does not make the rest
/// unusable.
///
/// HAP: §11.4
package enum RemoteDatabase {
    /// The limits for a database, which are large enough for 500 accessories with 100 characteristics each.
    package static let limits = JSONLimits(maximumValues: 1_000_000, allowsTrailingCommas: true)

    /// Reads a response: an object with `accessories`, only their list, or another shape of ``AccessoriesJSON``.
    ///
    /// - Throws: `ProtocolError` for text that is not JSON, exceeds the limits or has no list of accessories.
    package static func read(_ body: [UInt8]) throws(ProtocolError) -> [RemoteAccessory] {
        let text = body.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(body.dropFirst(3)) : body
        let root = try JSONValue(parsing: text, limits: limits)
        guard let list = AccessoriesJSON.accessories(in: root) else {
            throw ProtocolError(.json, "there is no list of accessories", at: "/accessories")
        }
        var known: Set<AccessoryID> = []
        return list.compactMap { element in
            guard let object = element.object, let aid = object.identifier("aid").flatMap({ AccessoryID($0) }),
                known.insert(aid).inserted
            else { return nil }
            return RemoteAccessory(aid: aid, services: services(of: object))
        }
    }

    private static func services(of accessory: JSONObject) -> [RemoteService] {
        // Requests address only characteristics, so a service may share its iid with a characteristic or another
        // service.
        var characteristics: Set<InstanceID> = []
        return (AccessoriesJSON.elements(of: accessory["services"], id: "iid") ?? [])
            .compactMap { element in
                guard let object = element.object, let uuid = uuid(of: object), let iid = iid(of: object) else {
                    return nil
                }
                return RemoteService(
                    iid: iid,
                    type: ServiceType(uuid),
                    isPrimary: object["primary"]?.hapBool ?? false,
                    isHidden: object["hidden"]?.hapBool ?? false,
                    linked: (object["linked"]?.array ?? [])
                        .compactMap { $0.numericValue?.integer().flatMap { InstanceID($0) } },
                    characteristics: (AccessoriesJSON.elements(of: object["characteristics"], id: "iid") ?? [])
                        .compactMap { element in
                            guard let found = element.object.flatMap(characteristic),
                                characteristics.insert(found.iid).inserted
                            else { return nil }
                            return found
                        }
                )
            }
    }

    private static func characteristic(_ object: JSONObject) -> RemoteCharacteristic? {
        guard let uuid = uuid(of: object), let iid = iid(of: object) else { return nil }
        let type = CharacteristicType(uuid)
        let cataloged = Catalog.characteristic(type)
        let format =
            object["format"]?.string.flatMap { CharacteristicFormat(deviceText: $0) }
            ?? cataloged?.metadata.format ?? CharacteristicFormat(inferredFrom: object["value"])
        let description = object["description"]?.string
        let base = CharacteristicDescription(
            type: type,
            permissions: CharacteristicPermissions(describedBy: object["perms"]) ?? cataloged?.permissions ?? .read,
            metadata: CharacteristicMetadata(describedBy: object, format: format),
            description: description.flatMap { $0.hasLongCombiningMarkRun ? nil : $0 }
        )
        let value = object["value"].flatMap { CharacteristicValue(lenient: $0, as: format) }
        return RemoteCharacteristic(iid: iid, base, value: value)
    }

    private static func uuid(of object: JSONObject) -> HAPUUID? {
        object["type"]?.string.flatMap { HAPUUID(lenient: $0) }
    }

    private static func iid(of object: JSONObject) -> InstanceID? {
        object.identifier("iid").flatMap { InstanceID($0) }
    }
}
