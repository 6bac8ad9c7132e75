/// One search through what may be meant.
///
/// A name may stand alone or behind the names of what it is part of: `Light`, `Garage/Light`, `Server/Garage/Light`.
struct SimulationNameSearch {
    /// What was found, with how far it is from what the text says: what stands behind fewer names comes first, then what
    /// stands right behind the last of them, then what begins with its server.
    private(set) var found: [(object: SimulationObject, rank: Int)] = []

    /// What is left of the text behind the names of what was passed.
    private struct Rest {
        var text: Substring
        var rank: Int
        /// Whether anything was passed by its name.
        var isNamed = false

        /// The same past something that is not named.
        var past: Rest { Rest(text: text, rank: rank + (isNamed ? 1 : 0), isNamed: isNamed) }
    }

    /// How far a name stands back: more than everything that is left out between names.
    private static let nameRank = 4
    /// How far a name stands back that something goes by where nothing else does.
    private static let otherRank = 20

    /// - Parameter key: What is looked for, as ``SimulationNameKey`` makes it.
    init(for key: String, in servers: [SimulatedServer], _ index: SimulationNameIndex) {
        let first = Rest(text: key[...], rank: servers.count > 1 ? 1 : 0)
        for entry in index.candidates(for: key) {
            if let rank = Self.rank(of: entry.object, at: entry.path, for: first, servers[entry.path.server]) {
                found.append((entry.object, rank))
            }
        }
    }

    private static func rank(
        of object: SimulationObject,
        at path: SimulationNameIndex.Path,
        for first: Rest,
        _ server: SimulatedServer
    ) -> Int? {
        if case .server = object { return match([first], server.keys) }
        // What a server has of its name is meant less than the server.
        let isServer = server.keys.contains { $0 == first.text }
        let accessory = server.accessories[path.accessory]
        let inServer = [first] + behind(server.keys, [first], rank: nameRank - first.rank)
        if case .accessory = object { return match(inServer, accessory.keys).map { $0 + (isServer ? 1 : 0) } }
        let service = accessory.services[path.service]
        let isAlone = server.accessories.count == 1
        let inAccessory = (isAlone ? inServer : inServer.map(\.past)) + behind(accessory.keys, inServer)
        if case .service = object {
            return match(inAccessory, service.keys, service.otherKeys).map { $0 + (isServer ? 2 : 0) }
        }
        let characteristic = service.characteristics[path.characteristic]
        let inService =
            inAccessory.map(\.past) + behind(service.keys, inAccessory)
            + behind(service.otherKeys, inAccessory, rank: otherRank)
        return match(inService, characteristic.keys, characteristic.otherKeys)
    }

    private static func match(_ rests: [Rest], _ keys: [String], _ otherKeys: [String] = []) -> Int? {
        let ranks = rests.compactMap { rest -> Int? in
            if keys.contains(where: { $0 == rest.text }) { return rest.rank }
            return otherKeys.contains { $0 == rest.text } ? rest.rank + otherRank : nil
        }
        return ranks.min()
    }

    /// What is left of those of the rests that begin with one of these names.
    private static func behind(_ keys: [String], _ rests: [Rest], rank: Int = nameRank) -> [Rest] {
        var tails: [Rest] = []
        for rest in rests {
            for key in keys where rest.text.utf8.starts(with: key.utf8) {
                let tail = rest.text.utf8.dropFirst(key.utf8.count)
                guard tail.first == UInt8(ascii: "/") else { continue }
                tails.append(Rest(text: Substring(tail.dropFirst()), rank: rest.rank + rank, isNamed: true))
            }
        }
        return tails
    }
}
