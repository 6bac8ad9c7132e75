internal import Documents
internal import HAPCore

extension HomeMerger {
    /// Puts the accessories of the file behind their bridges.
    mutating func mergeBridges() {
        let names = home.accessories.idsByName
        let aliases = zip(document.accessories, placed).filter { $1 != nil }
            .keyed(by: { MergeDirectory.key(of: $0.0.accessory.value) }, \.1)
        let servers = home.accessories.keyed(by: \.reference, \.id)
        for (position, accessory) in document.accessories.enumerated() {
            guard let id = placed[position], let index = accessoryIndex(id) else { continue }
            if let bridge = accessory.bridge {
                let key = MergeDirectory.key(of: bridge.value)
                guard let found = names[key] ?? aliases[key] ?? nil else {
                    report(
                        bridge.location,
                        unknown("accessory", bridge.value, among: home.accessories.nameTexts)
                    )
                    continue
                }
                home.accessories[index].bridge = found
                continue
            }
            if isWhole, isMissing(home.accessories[index]) {
                // What a file alone has said goes with its word; where an accessory was found is known.
                home.accessories[index].bridge = nil
            }
            // What is known to be behind a bridge that is in the home needs no word about it.
            guard home.accessories[index].bridge == nil, knownAt[position]?.bridge != nil,
                let server = home.accessories[index].reference?.server,
                let bridge = servers[AccessoryReference(server: server, aid: .primary)], bridge != id
            else { continue }
            home.accessories[index].bridge = bridge
        }
    }
}
