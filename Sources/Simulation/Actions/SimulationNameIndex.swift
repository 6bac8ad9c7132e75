internal import AccessoryModel

/// The positions of everything that has a name, so that no search looks at each of them.
struct SimulationNameIndex: Sendable {
    /// The places of something and of what it is part of, each among its siblings.
    struct Path: Sendable {
        var server: Int
        var accessory = 0
        var service = 0
        var characteristic = 0
    }

    /// Something that has a name.
    struct Entry: Sendable {
        var object: SimulationObject
        var path: Path
        /// Where the entries of its parts end; they begin behind it.
        var end: Int
        /// Whether it is the first with its ids: the others cannot be addressed, but their parts can.
        var isFirst: Bool
    }

    /// How many candidates are compared with the whole text before they are narrowed down.
    private static let fewCandidates = 16
    /// How many names lead to a characteristic: of its server, its accessory, its service and its own.
    private static let mostLevels = 4

    /// Everything there is, what comes first in its server before the rest, each thing right before its parts.
    private(set) var entries: [Entry] = []
    private var numbers: [SimulationObject: Int] = [:]
    private var named: [String: [Int]] = [:]
    private var longestKey = 0

    init(_ servers: [SimulatedServer]) {
        for (place, server) in servers.enumerated() {
            var path = Path(server: place)
            let number = add(.server(place), path, server.keys)
            for (index, accessory) in server.accessories.enumerated() {
                path.accessory = index
                let number = add(.accessory(server: place, accessory.aid), path, accessory.keys)
                for (index, service) in accessory.services.enumerated() {
                    path.service = index
                    let number = add(
                        .service(server: place, accessory.aid, service.key),
                        path,
                        service.keys + service.otherKeys
                    )
                    for (index, characteristic) in service.characteristics.enumerated() {
                        path.characteristic = index
                        _ = add(
                            .characteristic(SimulationPlace(server: place, characteristic.id)),
                            path,
                            characteristic.keys + characteristic.otherKeys
                        )
                    }
                    entries[number].end = entries.count
                }
                entries[number].end = entries.count
            }
            entries[number].end = entries.count
        }
    }

    /// The position of something; `nil` for what there is not.
    func path(of object: SimulationObject) -> Path? {
        numbers[object].map { entries[$0].path }
    }

    /// Something and all its parts; nothing for what there is not.
    func parts(of object: SimulationObject) -> [SimulationObject] {
        guard let number = numbers[object] else { return [] }
        return entries[number..<entries[number].end].lazy.filter(\.isFirst).map(\.object)
    }

    /// What a key may mean, as ``SimulationNameKey`` makes it: what has a name with which it ends.
    ///
    /// Of many things with that name, only those whose servers, accessories and services have the names before it.
    func candidates(for key: String) -> [Entry] {
        var search = Search(index: self, text: Array(key.utf8))
        return search.numbers(upTo: search.text.count, levels: Self.mostLevels)
            .lazy.map { entries[$0] }.filter(\.isFirst)
    }

    /// One search for what a text may mean.
    private struct Search {
        let index: SimulationNameIndex
        let text: [UInt8]
        private var known: [Prefix: [Int]] = [:]

        private struct Prefix: Hashable {
            var end: Int
            var levels: Int
        }

        init(index: SimulationNameIndex, text: [UInt8]) {
            self.index = index
            self.text = text
        }

        /// What the text up to `end` may mean, in its order, when at most so many names are in it.
        mutating func numbers(upTo end: Int, levels: Int) -> [Int] {
            let prefix = Prefix(end: end, levels: levels)
            if let found = known[prefix] { return found }
            var found: Set<Int> = []
            var start = end
            while true {
                start = text[..<start].lastIndex(of: UInt8(ascii: "/")) ?? -1
                guard end - start - 1 <= index.longestKey else { break }
                let named = index.named[String(decoding: text[(start + 1)..<end], as: UTF8.self)] ?? []
                if start < 0 || named.count <= SimulationNameIndex.fewCandidates {
                    found.formUnion(named)
                } else if levels > 1 {
                    for whole in numbers(upTo: start, levels: levels - 1) {
                        found.formUnion(named.within(whole..<index.entries[whole].end))
                    }
                }
                guard start > 0 else { break }
            }
            let sorted = found.sorted()
            known[prefix] = sorted
            return sorted
        }
    }

    private mutating func add(_ object: SimulationObject, _ path: Path, _ keys: [String]) -> Int {
        let number = entries.count
        let isFirst = numbers[object] == nil
        if isFirst { numbers[object] = number }
        for key in Set(keys) {
            named[key, default: []].append(number)
            longestKey = max(longestKey, key.utf8.count)
        }
        entries.append(Entry(object: object, path: path, end: number + 1, isFirst: isFirst))
        return number
    }
}

extension [Int] {
    /// Those of ascending numbers that are in a range.
    fileprivate func within(_ range: Range<Int>) -> ArraySlice<Int> {
        self[position(of: range.lowerBound)..<position(of: range.upperBound)]
    }

    /// The position of the first of ascending numbers that is not less than another.
    private func position(of number: Int) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = low + (high - low) / 2
            if self[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

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

/// Names without what does not count in them.
enum SimulationNameKey {
    /// The key of a name, or of names with `/` between them.
    static func key(_ text: String) -> String {
        text.split(separator: "/", omittingEmptySubsequences: false)
            .map { part in
                // In an id the full stop counts.
                part.contains(".") && part.utf8.allSatisfy(isOfID) ? String(part) : Catalogue.key(part.lowercased())
            }
            .joined(separator: "/")
    }

    /// The keys of several names, each once, in their order.
    static func keys(_ names: [String]) -> [String] {
        var keys: [String] = []
        for name in names {
            let key = key(name)
            if !keys.contains(key) { keys.append(key) }
        }
        return keys
    }

    private static func isOfID(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ".") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }
}
