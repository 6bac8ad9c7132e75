/// One search through what may be meant.
///
/// A name may stand alone or behind the names of what it is part of: `Light`, `Garage/Light`, `Server/Garage/Light`.
struct SimulationNameSearch {
    /// What was found, with how little its name says: what stands behind fewer names comes first.
    private(set) var found: [(object: SimulationObject, rank: Int)] = []

    /// What is left of the text behind the names of what was passed, each with how many these are.
    private typealias Rest = (text: Substring, rank: Int)

    /// How far a name stands back that something goes by where nothing else does.
    private static let otherRank = 5

    /// - Parameter key: What is looked for, as ``SimulationNameKey`` makes it.
    init(for key: String, in servers: [SimulatedServer], _ index: SimulationNameIndex) {
        for object in index.candidates(for: key) {
            guard let path = index.path(of: object) else { continue }
            let rank = Self.rank(of: object, at: path, for: key, servers[path.server])
            if let rank { found.append((object, rank)) }
        }
    }

    private static func rank(
        of object: SimulationObject,
        at path: SimulationNameIndex.Path,
        for key: String,
        _ server: SimulatedServer
    ) -> Int? {
        let whole: [Rest] = [(key[...], 0)]
        if case .server = object { return match(whole, server.keys) }
        let accessory = server.accessories[path.accessory]
        let inServer = behind(server.keys, whole)
        if case .accessory = object {
            // The first one of a server mostly has its name.
            let isServer = path.accessory == 0 && server.keys.contains(key)
            return match(inServer, accessory.keys).map { $0 + (isServer ? 1 : 0) }
        }
        let service = accessory.services[path.service]
        let inAccessory = behind(accessory.keys, inServer)
        if case .service = object { return match(inAccessory, service.keys, service.otherKeys) }
        let characteristic = service.characteristics[path.characteristic]
        let inService =
            behind(service.keys, inAccessory)
            + behind(service.otherKeys, inAccessory, rank: otherRank)
            .dropFirst(
                inAccessory.count
            )
        return match(inService, characteristic.keys, characteristic.otherKeys)
    }

    private static func match(_ rests: [Rest], _ keys: [String], _ otherKeys: [String] = []) -> Int? {
        if let match = rests.first(where: { rest in keys.contains { $0 == rest.text } }) { return match.rank }
        return rests.first { rest in otherKeys.contains { $0 == rest.text } }.map { $0.rank + otherRank }
    }

    /// The rests as they are, and those that begin with one of these names without it.
    private static func behind(_ keys: [String], _ rests: [Rest], rank: Int = 1) -> [Rest] {
        var all = rests
        for rest in rests {
            for key in keys where rest.text.count > key.count && rest.text.hasPrefix(key) {
                let tail = rest.text.dropFirst(key.count)
                if tail.first == "/" { all.append((tail.dropFirst(), rest.rank + rank)) }
            }
        }
        return all
    }
}
