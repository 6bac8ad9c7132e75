internal import AccessoryModel
internal import Documents
internal import HAPCore

extension DefinitionSession {
    /// Finds objects of an accessory with one id, as they are numbered at the first start; with `isFixed`, gives each
    /// object without an id the next one for good.
    ///
    /// The services of a real device may have the ids of other objects.
    mutating func number(_ services: inout [DefinedService], isFixed: Bool) {
        var owners: [UInt64: DocumentPath] = [:]
        // A server keeps 1 for Accessory Information.
        let written = services.flatMap { [$0.iid] + $0.characteristics.map(\.characteristic.iid) }
        var ids = FreeIDs(after: isFixed ? 0 : 1, besides: written.lazy.compactMap { $0?.rawValue })
        for position in services.indices {
            let id = ids.settle(services[position].iid?.rawValue)
            if !isVerbatim {
                take(id, services[position].iidField ?? services[position].field, &owners)
            }
            if isFixed {
                services[position].iid = InstanceID(id)
            }
            for index in services[position].characteristics.indices {
                let defined = services[position].characteristics[index]
                let id = ids.settle(defined.characteristic.iid?.rawValue)
                take(id, defined.iidField ?? defined.field, &owners)
                if isFixed {
                    services[position].characteristics[index].characteristic.iid = InstanceID(id)
                }
            }
        }
    }

    /// The same for the accessories of a server.
    mutating func number(_ accessories: inout [DefinedAccessory], isFixed: Bool) {
        var owners: [UInt64: DocumentPath] = [:]
        var keys: [String: DocumentPath] = [:]
        var ids = FreeIDs(after: 0, besides: accessories.lazy.compactMap(\.documented.aid?.rawValue))
        for position in accessories.indices {
            let accessory = accessories[position]
            let isServer = position == 0 && !isVerbatim
            let id = ids.settle(accessory.documented.aid?.rawValue ?? (isServer ? AccessoryID.primary.rawValue : nil))
            take(id, accessory.aidField ?? accessory.field, &owners, whole: "the bridge")
            if isFixed {
                accessories[position].documented.aid = AccessoryID(id)
            }
            if let aid = accessory.documented.aid, position == 0, aid != .primary, !isVerbatim {
                findings.report(accessory.aidField ?? accessory.field, "the first accessory has id 1; leave it away")
            }
            let key = accessory.documented.key
            if let other = keys.updateValue(accessory.field.path, forKey: key) {
                findings.report(
                    accessory.field,
                    "\(other.shown(whole: "the bridge")) is \(key.quotedForPeople), too; give one of them another \"id\""
                )
            }
        }
    }

    private mutating func take(
        _ id: UInt64,
        _ field: DocumentField,
        _ owners: inout [UInt64: DocumentPath],
        whole: String = "the added Accessory Information"
    ) {
        if let other = owners.updateValue(field.path, forKey: id) {
            findings.report(field, "id \(id) is that of \(other.shown(whole: whole)), too; give one of them another")
        } else if id > Self.maximumID, !isVerbatim {
            findings.report(field, "there is no id behind \(Self.maximumID); give it one that is not used")
        }
    }
}

extension DocumentPath {
    /// The path, or words for the whole.
    fileprivate func shown(whole: String) -> String {
        let text = description
        return text.isEmpty ? whole : text
    }
}
