import AccessoryFiles
import HomeModel
import HomeRunning

/// A home file on disk.
enum HomeSource {
    /// Reads a file.
    ///
    /// - Throws: ``CommandFailure`` with everything that is wrong in it.
    static func read(_ path: String) throws(CommandFailure) -> HomeDocument {
        do throws(AccessoryFileError) {
            return try HomeFile.read(RegularFile(path).bytes, name: path)
        } catch {
            throw CommandFailure(error.findings)
        }
    }
}

extension KnownAccessory {
    /// The accessories of servers, by the names under which files speak of them.
    static func all(of servers: [WorldServer]) -> [KnownAccessory] {
        servers.flatMap { server in
            server.accessories.enumerated()
                .map { index, accessory in
                    KnownAccessory(
                        name: index == 0 ? server.alias : accessory.announced.name ?? "\(server.alias) \(accessory.aid)",
                        bridge: index == 0 ? nil : server.alias,
                        reference: AccessoryReference(server: server.id, aid: accessory.aid),
                        announced: accessory.announced
                    )
                }
        }
    }
}
