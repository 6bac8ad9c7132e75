internal import AccessoryModel
internal import HAPCore

extension DefinitionSession {
    /// Finds objects of an accessory with one id, as they are numbered at the first start; with `isFixed`, gives each
    /// object without an id the next one for good.
    mutating func number(_ services: inout [DefinedService], isFixed: Bool) {
        var owners: [UInt64: DefinitionPath] = [:]
        var last: UInt64 = 0
        func next(_ written: InstanceID?) -> UInt64 {
            // A server keeps 1 for Accessory Information.
            written?.rawValue ?? (isFixed ? last : max(last, 1)) + 1
        }
        for position in services.indices {
            let id = next(services[position].iid)
            take(id, services[position].iidField ?? services[position].field, &owners)
            last = max(last, id)
            if isFixed {
                services[position].iid = InstanceID(id)
            }
            for index in services[position].characteristics.indices {
                let defined = services[position].characteristics[index]
                let id = next(defined.characteristic.iid)
                take(id, defined.iidField ?? defined.field, &owners)
                last = max(last, id)
                if isFixed {
                    services[position].characteristics[index].characteristic.iid = InstanceID(id)
                }
            }
        }
    }

    /// The same for the accessories of a server.
    mutating func number(_ accessories: inout [DefinedAccessory], isFixed: Bool) {
        var owners: [UInt64: DefinitionPath] = [:]
        var keys: [String: DefinitionPath] = [:]
        var last: UInt64 = 0
        for position in accessories.indices {
            let accessory = accessories[position]
            let id = accessory.documented.aid?.rawValue ?? last + 1
            take(id, accessory.aidField ?? accessory.field, &owners, whole: "the bridge")
            last = max(last, id)
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
        _ field: DefinitionField,
        _ owners: inout [UInt64: DefinitionPath],
        whole: String = "a service that is added"
    ) {
        if let other = owners.updateValue(field.path, forKey: id) {
            findings.report(field, "id \(id) is that of \(other.shown(whole: whole)), too; give one of them another")
        } else if id > Self.maximumID {
            findings.report(field, "there is no id behind \(Self.maximumID); give it one that is not used")
        }
    }
}

extension DefinitionPath {
    /// The path, or words for the whole.
    fileprivate func shown(whole: String) -> String {
        let text = description
        return text.isEmpty ? whole : text
    }
}
