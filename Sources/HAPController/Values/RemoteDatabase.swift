internal import AccessoryModel
package import HAPCore

/// Reads what an accessory server answers to `GET /accessories`.
///
/// Devices word it in many ways, and a controller has to live with all of them: what is missing follows from Apple's
/// catalogue or from the value, what HAP does not know counts as not said, and what cannot be addressed is left out. Of
/// two with one id the first stays. Nothing in it is a reason to do without the rest.
///
/// HAP: §11.4
package enum RemoteDatabase {
    /// How much JSON a database may be: five hundred accessories with all the characteristics of a hundred.
    package static let limits = JSONLimits(maximumDepth: 32, maximumValues: 1_000_000)

    /// Reads an answer: an object with `accessories`, or their list alone.
    ///
    /// - Throws: `ProtocolError` for what is no JSON, beyond the limits or without a list of accessories.
    package static func read(_ body: [UInt8]) throws(ProtocolError) -> [RemoteAccessory] {
        let text = body.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(body.dropFirst(3)) : body
        let root = try JSONValue(parsing: text, limits: limits)
        guard let list = root.array ?? root.object?["accessories"]?.array else {
            throw ProtocolError(.json, "there is no list of accessories", at: "/accessories")
        }
        var known: Set<AccessoryID> = []
        return list.compactMap { element in
            guard let object = element.object, let aid = object["aid"]?.unsigned.flatMap({ AccessoryID($0) }),
                known.insert(aid).inserted
            else { return nil }
            return RemoteAccessory(aid: aid, services: services(of: object))
        }
    }

    private static func services(of accessory: JSONObject) -> [RemoteService] {
        var services: Set<InstanceID> = []
        // Services and characteristics share their numbers; a device that gives one twice is addressed all the same.
        var characteristics: Set<InstanceID> = []
        return (accessory["services"]?.array ?? [])
            .compactMap { element in
                guard let object = element.object, let uuid = uuid(of: object), let iid = iid(of: object),
                    services.insert(iid).inserted
                else { return nil }
                return RemoteService(
                    iid: iid,
                    type: ServiceType(uuid),
                    isPrimary: object["primary"]?.flag ?? false,
                    isHidden: object["hidden"]?.flag ?? false,
                    linked: (object["linked"]?.array ?? []).compactMap { $0.unsigned.flatMap { InstanceID($0) } },
                    characteristics: (object["characteristics"]?.array ?? [])
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
        let catalogued = Catalogue.characteristic(type)
        let format =
            object["format"]?.string.flatMap { CharacteristicFormat(rawValue: $0) }
            ?? catalogued?.metadata.format ?? CharacteristicFormat(following: object["value"])
        let description = object["description"]?.string
        var characteristic = RemoteCharacteristic(
            iid: iid,
            type: type,
            permissions: permissions(of: object) ?? catalogued?.permissions ?? .read,
            metadata: CharacteristicMetadata(describedBy: object, format: format),
            description: description.flatMap { $0.hasLongRunOfMarks ? nil : $0 }
        )
        characteristic.value = object["value"].flatMap { characteristic.value(from: $0) }
        return characteristic
    }

    private static func permissions(of object: JSONObject) -> CharacteristicPermissions? {
        object["perms"]?.array
            .map { names in
                names.reduce(into: []) { permissions, name in
                    if let permission = name.string.flatMap({ CharacteristicPermissions(name: $0) }) {
                        permissions.formUnion(permission)
                    }
                }
            }
    }

    private static func uuid(of object: JSONObject) -> HAPUUID? {
        object["type"]?.string.flatMap { HAPUUID($0) }
    }

    private static func iid(of object: JSONObject) -> InstanceID? {
        object["iid"]?.unsigned.flatMap { InstanceID($0) }
    }
}
