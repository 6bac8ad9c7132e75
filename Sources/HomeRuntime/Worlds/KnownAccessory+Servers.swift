package import HomeModel

extension KnownAccessory {
    /// The accessories of servers, by the names under which files speak of them.
    package static func all(of servers: [WorldServer]) -> [KnownAccessory] {
        servers.flatMap { server in
            server.accessories.enumerated()
                .map { index, accessory in
                    KnownAccessory(
                        name: index == 0
                            ? server.alias : accessory.announced.name ?? "\(server.alias) \(accessory.aid)",
                        bridge: index == 0 ? nil : server.alias,
                        reference: AccessoryReference(server: server.id, aid: accessory.aid),
                        announced: accessory.announced
                    )
                }
        }
    }
}
