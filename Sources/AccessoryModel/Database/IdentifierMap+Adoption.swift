internal import HAPCore

extension IdentifierMap {
    /// Gives the objects of a real device the ids that they have there.
    ///
    /// The device has given them, and may have given one to another object than at the last start: that one loses it.
    /// Objects that are declared without an id keep theirs, unless another has it now. A service with the id of another
    /// object is not recorded: only that object is addressed by it.
    ///
    /// - Throws: ``ModelError`` when two accessories, or two characteristics of one, have one id.
    mutating func adopt(_ declared: [Accessory]) throws(ModelError) {
        var aids: [(key: String, id: AccessoryID)] = []
        for accessory in declared {
            guard let aid = accessory.aid else { continue }
            aids.append((accessory.key, aid))
        }
        try adopt(aids)
        for accessory in declared {
            guard let aid = accessory.aid ?? accessories[accessory.key] else { continue }
            var iids: [(path: String, id: InstanceID)] = []
            for service in accessory.services {
                for (path, characteristic) in zip(service.paths, service.characteristics) {
                    if let iid = characteristic.iid {
                        iids.append((path.text, iid))
                    }
                }
            }
            var taken = Set(iids.map(\.id))
            for service in accessory.services {
                if let iid = service.iid, taken.insert(iid).inserted {
                    iids.append((service.key.path, iid))
                }
            }
            try adopt(iids, in: aid, of: accessory.key)
        }
    }
}
