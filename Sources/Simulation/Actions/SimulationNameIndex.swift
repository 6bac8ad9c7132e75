internal import AccessoryModel

/// Where everything that has a name stands, so that nothing is looked for one by one.
struct SimulationNameIndex: Sendable {
    /// The places of something and of what it is part of, each among its siblings.
    struct Path: Sendable {
        var server: Int
        var accessory = 0
        var service = 0
        var characteristic = 0
    }

    /// Everything there is, what comes first in its server before the rest.
    private(set) var objects: [SimulationObject] = []
    private var paths: [SimulationObject: Path] = [:]
    private var named: [String: [Int]] = [:]

    init(_ servers: [SimulatedServer]) {
        for (place, server) in servers.enumerated() {
            var path = Path(server: place)
            add(.server(place), path, server.keys)
            for (index, accessory) in server.accessories.enumerated() {
                path.accessory = index
                add(.accessory(server: place, accessory.aid), path, accessory.keys)
                for (index, service) in accessory.services.enumerated() {
                    path.service = index
                    add(.service(server: place, accessory.aid, service.key), path, service.keys + service.otherKeys)
                    for (index, characteristic) in service.characteristics.enumerated() {
                        path.characteristic = index
                        add(
                            .characteristic(SimulationPlace(server: place, characteristic.id)),
                            path,
                            characteristic.keys + characteristic.otherKeys
                        )
                    }
                }
            }
        }
    }

    /// Where something stands; `nil` for what there is not.
    func path(of object: SimulationObject) -> Path? {
        paths[object]
    }

    /// What may be meant by a key as ``SimulationNameKey`` makes it: everything that has a name with which it ends.
    func candidates(for key: String) -> [SimulationObject] {
        var found: Set<Int> = []
        var rest = key[...]
        while true {
            found.formUnion(named[String(rest)] ?? [])
            guard let slash = rest.firstIndex(of: "/") else { break }
            rest = rest[rest.index(after: slash)...]
        }
        return found.sorted().map { objects[$0] }
    }

    private mutating func add(_ object: SimulationObject, _ path: Path, _ keys: [String]) {
        guard paths[object] == nil else { return }
        paths[object] = path
        for key in Set(keys) {
            named[key, default: []].append(objects.count)
        }
        objects.append(object)
    }
}
