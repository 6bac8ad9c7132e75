internal import AccessoryModel
internal import HAPCore

extension HomeMerger {
    /// What is known of an accessory of the file; notes when it may be several.
    private mutating func known(_ accessory: DocumentedPlacement) -> KnownAccessory? {
        if let reference = accessory.reference, let found = known.accessory(at: reference) { return found }
        let bridge = accessory.bridge.map { bridge in
            document.accessories.first { $0.chosenName?.key == MergeDirectory.key(of: bridge.value) }?.accessory.value
                ?? bridge.value
        }
        var found = known.accessories(named: accessory.accessory.value, behind: bridge)
        if let aid = accessory.aid, accessory.deviceID == nil || found.count > 1 {
            found.removeAll { $0.reference?.aid != aid }
        }
        if found.count > 1 {
            report(
                accessory.accessory.place,
                HomeError(
                    .ambiguousName,
                    at: home.name.text,
                    "\(found.count) accessories are called \(ObjectName.quoted(accessory.accessory.value)).",
                    remedy: "Say which one with \"deviceID\" and \"aid\"."
                )
            )
        }
        return found.first
    }

    /// Finds out which accessories of the home are those of the file.
    mutating func identifyAccessories() {
        let byReference = Dictionary(
            home.accessories.compactMap { accessory in accessory.reference.map { ($0, accessory.id) } }
        ) { first, _ in first }
        let byName = Dictionary(home.accessories.map { ($0.name.key, $0.id) }) { first, _ in first }
        var taken: Set<ObjectID<HomeAccessory>> = []
        for accessory in document.accessories {
            let known = known(accessory)
            var id = [accessory.reference, known?.reference].lazy.compactMap { $0.flatMap { byReference[$0] } }.first
            if id == nil {
                // An accessory elsewhere is another one, whatever it is called.
                let names = [accessory.name?.value.key, MergeDirectory.key(of: accessory.accessory.value)]
                id = names.lazy.compactMap { $0.flatMap { byName[$0] } }
                    .first { candidate in
                        let reference = home.accessory(candidate)?.reference
                        return reference == nil || accessory.reference == nil && known?.reference == nil
                    }
            }
            if let found = id, !taken.insert(found).inserted {
                report(
                    accessory.accessory.place,
                    HomeError(
                        .accessoryTwice,
                        at: home.name.text,
                        "\(ObjectName.quoted(accessory.accessory.value)) stands in the file twice.",
                        remedy: "Put both together."
                    )
                )
                id = nil
            }
            placed.append(id)
            if id == nil {
                knownOfNew[placed.count - 1] = known
            } else if let known, let id {
                announced[id] = known.announced
                knownReference[id] = known.reference
            }
        }
    }
}
