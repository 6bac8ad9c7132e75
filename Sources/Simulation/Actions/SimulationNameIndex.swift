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
