/// One search through everything that has names.
///
/// A name may stand alone or behind the names of what it is part of: `Light`, `Garage/Light`, `Server/Garage/Light`.
struct SimulationNameSearch {
    /// What was found, with how little its name says: what stands behind fewer names comes first.
    private(set) var found: [(object: SimulationObject, rank: Int)] = []

    /// What is left of the text behind the names of what was passed, each with how many these are.
    private typealias Rest = (text: Substring, rank: Int)

    /// - Parameter key: What is looked for, as ``SimulationNameKey`` makes it.
    init(for key: String, in servers: [SimulatedServer]) {
        for (place, server) in servers.enumerated() {
            search([(key[...], 0)], server, at: place)
        }
    }

    private mutating func search(_ rests: [Rest], _ server: SimulatedServer, at place: Int) {
        let isServer = note(.server(place), rests, server.keys)
        let rests = Self.behind(server.keys, rests)
        for accessory in server.accessories {
            // One that is alone in its server mostly has its name.
            let rank = isServer && server.accessories.count == 1 ? 1 : 0
            note(.accessory(server: place, accessory.aid), rests, accessory.keys, rank: rank)
            let rests = Self.behind(accessory.keys, rests)
            for service in accessory.services {
                note(.service(server: place, accessory.aid, service.key), rests, service.keys)
                search(Self.behind(service.keys, rests), service, of: place)
            }
        }
    }

    private mutating func search(_ rests: [Rest], _ service: SimulatedService, of server: Int) {
        for characteristic in service.characteristics {
            let object = SimulationObject.characteristic(SimulationPlace(server: server, characteristic.id))
            if !note(object, rests, characteristic.keys) {
                note(object, rests, characteristic.otherKeys, rank: 5)
            }
        }
    }

    @discardableResult
    private mutating func note(
        _ object: SimulationObject,
        _ rests: [Rest],
        _ keys: [String],
        rank: Int = 0
    ) -> Bool {
        guard let match = rests.first(where: { rest in keys.contains { $0 == rest.text } }) else { return false }
        found.append((object, match.rank + rank))
        return true
    }

    /// The rests as they are, and those that begin with one of these names without it.
    private static func behind(_ keys: [String], _ rests: [Rest]) -> [Rest] {
        var all = rests
        for rest in rests {
            for key in keys where rest.text.count > key.count && rest.text.hasPrefix(key) {
                let tail = rest.text.dropFirst(key.count)
                if tail.first == "/" { all.append((tail.dropFirst(), rest.rank + 1)) }
            }
        }
        return all
    }
}
