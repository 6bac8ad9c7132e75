internal import HAPCore

/// The levels of objects that have names, from the outermost to the innermost.
package enum NameLevel: String, Sendable, Hashable, CaseIterable {
    case server, accessory, service, characteristic

    /// The number of outer levels.
    fileprivate var depth: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// The result of looking up a text.
package enum NameMatch: Sendable, Hashable {
    /// The text refers to one object of a requested level.
    case unique(Int)
    /// The text refers to several objects of a requested level.
    case ambiguous([Int])
    /// The text refers only to an object of another level.
    case wrongLevel(Int)
    /// The text refers to no object.
    case notFound
}

/// An index that finds servers, accessories, services and characteristics by their names.
///
/// A name is written alone, or after the names of the objects that contain it, separated by `/` or a full stop:
/// `Light`, `Garage/Light` or `Server/Garage/Light`. Case, spaces, apostrophes, `-`, `_` and `.` in names are ignored. If
/// nothing matches, the forms of ``SpokenName`` are looked up: `the garage lights` is also `Garage Light`, unless there
/// is an object `Garage Lights`. If a text matches several objects, these rules choose one, in this order:
///
/// 1. A match by an object's own names has precedence over one by its other names, such as a description or a UUID.
/// 2. A match with fewer names of outer objects has precedence.
/// 3. A direct part of the last named object has precedence, then a match that begins with the name of its server.
///
/// Commands, scenarios and the prompt use this index. Home files and home commands do not: the names in a home are
/// unique by other rules (`ObjectName`). A reference in a home file must not change its meaning when a service is
/// added, so no part of it can be omitted.
package struct NameIndex: Sendable {
    /// The maximum number of bytes of a text to look up.
    static let maximumByteCount = 1_000
    /// The maximum number of candidates that are compared without narrowing them by the preceding names.
    private static let narrowingThreshold = 16

    struct Entry: Sendable {
        let level: NameLevel
        let parent: Int?
        /// The end of the range of this entry's parts, which follow it.
        var end: Int
        let name: String
        let id: String?
        let keys: [String]
        let otherKeys: [String]
        let isAddressable: Bool
    }

    /// All entries, each one directly before its parts.
    private(set) var entries: [Entry] = []
    private(set) var numbersByKey: [String: [Int]] = [:]
    private var longestKeyLength = 0
    private var serverCount = 0

    /// Creates an index without entries.
    package init() {}

    /// Adds an object to the last object of an outer level.
    ///
    /// - Parameters:
    ///   - id: The object's id as text, which is also one of the keys.
    ///   - keys: The object's names, as ``key(_:)`` returns them.
    ///   - otherKeys: Names that are used only if no other object has them among its `keys`.
    ///   - isAddressable: Whether the object itself can be found; its parts can always be found.
    /// - Returns: The number of the object.
    @discardableResult package mutating func add(
        _ level: NameLevel,
        _ name: String,
        id: String? = nil,
        keys: [String],
        otherKeys: [String] = [],
        isAddressable: Bool = true
    ) -> Int {
        let number = entries.count
        var parent = entries.indices.last
        while let place = parent, entries[place].level.depth >= level.depth { parent = entries[place].parent }
        for key in Set(keys + otherKeys) {
            numbersByKey[key, default: []].append(number)
            longestKeyLength = max(longestKeyLength, key.utf8.count)
        }
        entries.append(
            Entry(
                level: level,
                parent: parent,
                end: number + 1,
                name: name,
                id: id,
                keys: keys,
                otherKeys: otherKeys,
                isAddressable: isAddressable
            )
        )
        if level == .server { serverCount += 1 }
        while let place = parent {
            entries[place].end = entries.count
            parent = entries[place].parent
        }
        return number
    }

    /// Returns the numbers of an object and of all its parts, as far as they are addressable.
    package func parts(of number: Int) -> [Int] {
        guard entries.indices.contains(number) else { return [] }
        return (number..<entries[number].end).filter { entries[$0].isAddressable }
    }

    /// Returns the numbers of all addressable objects of some levels.
    package func numbers(of levels: Set<NameLevel>) -> [Int] {
        entries.indices.filter { entries[$0].isAddressable && levels.contains(entries[$0].level) }
    }

    /// Returns the level of an object.
    package func level(of number: Int) -> NameLevel {
        entries[number].level
    }

    // MARK: Search

    /// Finds the object that a text refers to.
    ///
    /// - Parameters:
    ///   - levels: The requested levels.
    ///   - related: Returns the objects of the requested levels that belong to an object of another level. If there is
    ///     only one, its name may be omitted.
    package func match(
        _ text: String,
        as levels: Set<NameLevel>,
        related: (Int) -> [Int] = { _ in [] }
    ) -> NameMatch {
        if isOwnerOfAnotherName(text) { return .notFound }
        let exact = match(Self.paths(text), levels, related)
        guard exact == .notFound else { return exact }
        let forms = Self.spokenForms(of: text)
        for form in forms where form.changed == nil {
            let found = match([Self.key(form.names.joined(separator: "/"))], levels, related)
            if found != .notFound { return found }
        }
        var matches: [NameMatch] = []
        for form in forms where form.changed != nil && canChange(form) {
            // The number of a characteristic's name is not changed: `Brightnes` is a misspelling.
            let wanted = form.changesLastNumber ? levels.subtracting([.characteristic]) : levels
            let found = match([Self.key(form.names.joined(separator: "/"))], wanted, related)
            if case .wrongLevel(let number) = found, form.changesLastNumber, level(of: number) == .characteristic {
                continue
            }
            if found != .notFound { matches.append(found) }
        }
        return Self.combined(matches)
    }

    private func match(_ paths: [String], _ levels: Set<NameLevel>, _ related: (Int) -> [Int]) -> NameMatch {
        for path in paths {
            let found = ranked(for: path)
            let wanted = bestRanked(found, levels)
            if let only = wanted.first { return wanted.count == 1 ? .unique(only) : .ambiguous(wanted) }
            let related = Set(found.flatMap { related($0.number) })
            if let only = related.first { return related.count == 1 ? .unique(only) : .ambiguous(related.sorted()) }
            if let other = found.first { return .wrongLevel(other.number) }
        }
        return .notFound
    }

    /// Returns the number of objects that are compared with a key of ``key(_:)``.
    package func candidateCount(for key: String) -> Int {
        candidates(for: key).count
    }

    private func bestRanked(_ found: [(number: Int, rank: Int)], _ levels: Set<NameLevel>) -> [Int] {
        let wanted = found.filter { levels.contains(entries[$0.number].level) }
        let rank = wanted.lazy.map(\.rank).min()
        return wanted.filter { $0.rank == rank }.map(\.number)
    }

    /// Returns the objects whose name is the end of a key.
    ///
    /// If there are many, only those are returned whose servers, accessories and services have the names before it.
    private func candidates(for key: String) -> [Int] {
        var search = CandidateSearch(index: self, text: Array(key.utf8))
        return search.numbers(upTo: search.text.count, levels: NameLevel.allCases.count)
            .filter { entries[$0].isAddressable }
    }

    private struct CandidateSearch {
        let index: NameIndex
        let text: [UInt8]
        private var cache: [Prefix: [Int]] = [:]

        private struct Prefix: Hashable {
            var end: Int
            var levels: Int
        }

        init(index: NameIndex, text: [UInt8]) {
            self.index = index
            self.text = text
        }

        /// Returns the objects that the text up to `end` may refer to, in ascending order, with at most `levels` names.
        mutating func numbers(upTo end: Int, levels: Int) -> [Int] {
            let prefix = Prefix(end: end, levels: levels)
            if let found = cache[prefix] { return found }
            var found: Set<Int> = []
            var start = end
            while true {
                start = text[..<start].lastIndex(of: UInt8(ascii: "/")) ?? -1
                guard end - start - 1 <= index.longestKeyLength else { break }
                let named = index.numbersByKey[String(decoding: text[(start + 1)..<end], as: UTF8.self)] ?? []
                if start < 0 || named.count <= NameIndex.narrowingThreshold {
                    found.formUnion(named)
                } else if levels > 1 {
                    for whole in numbers(upTo: start, levels: levels - 1) {
                        found.formUnion(named.elements(in: whole..<index.entries[whole].end))
                    }
                }
                guard start > 0 else { break }
            }
            let sorted = found.sorted()
            cache[prefix] = sorted
            return sorted
        }
    }

    // MARK: Ranks

    /// The rest of a text after the matched names.
    private struct Remainder {
        var text: Substring
        var rank: Int
        /// Whether an outer object was matched by its name.
        var isNamed = false

        /// The same remainder after an outer object that is not named in the text.
        var skippingUnnamed: Remainder { Remainder(text: text, rank: rank + (isNamed ? 1 : 0), isNamed: isNamed) }
    }

    /// The rank that the name of each outer object adds; it is larger than the sum for all omitted levels.
    private static let nameRankIncrement = 4
    /// The rank that a match by one of the other names adds.
    private static let otherNameRankIncrement = 20

    /// Returns the objects that a key may refer to, with their ranks.
    private func ranked(for key: String) -> [(number: Int, rank: Int)] {
        let first = Remainder(text: key[...], rank: serverCount > 1 ? 1 : 0)
        return candidates(for: key).compactMap { number in rank(of: number, for: first).map { (number, $0) } }
    }

    private func rank(of number: Int, for first: Remainder) -> Int? {
        let entry = entries[number]
        var rests = [first]
        let chain = ancestry(of: number)
        for place in chain.dropLast() {
            let outer = entries[place]
            let named =
                Self.remainders(
                    after: outer.keys,
                    in: rests,
                    rank: Self.nameRankIncrement - (outer.level == .server ? first.rank : 0)
                )
                + Self.remainders(after: outer.otherKeys, in: rests, rank: Self.otherNameRankIncrement)
            rests = (isOnlyAccessory(place) ? rests : rests.map(\.skippingUnnamed)) + named
        }
        let ranks = rests.compactMap { rest -> Int? in
            if entry.keys.contains(where: { $0 == rest.text }) { return rest.rank }
            return entry.otherKeys.contains { $0 == rest.text } ? rest.rank + Self.otherNameRankIncrement : nil
        }
        // If a server and one of its parts have the same name, the server comes first.
        let server = entries[chain[0]]
        let isServer = server.level == .server && server.keys.contains { $0 == first.text }
        let distance = isServer && entry.level != .characteristic ? chain.count - 1 : 0
        return ranks.min().map { $0 + distance }
    }

    /// Returns an object after all objects that contain it, from the outermost to the innermost.
    private func ancestry(of number: Int) -> [Int] {
        var chain = [number]
        while let parent = entries[chain[0]].parent { chain.insert(parent, at: 0) }
        return chain
    }

    private func isOnlyAccessory(_ number: Int) -> Bool {
        guard entries[number].level == .accessory else { return false }
        let parent = entries[number].parent
        return number == parent.map { $0 + 1 } ?? 0
            && entries[number].end == parent.map { entries[$0].end } ?? entries.count
    }

    /// Returns the remainders of those texts that begin with one of these names.
    private static func remainders(after keys: [String], in rests: [Remainder], rank: Int) -> [Remainder] {
        rests.flatMap { rest in
            keys.compactMap { key in
                guard rest.text.utf8.starts(with: key.utf8) else { return nil }
                let tail = rest.text.utf8.dropFirst(key.utf8.count)
                guard tail.first == UInt8(ascii: "/") else { return nil }
                return Remainder(text: Substring(tail.dropFirst()), rank: rest.rank + rank, isNamed: true)
            }
        }
    }

    // MARK: Texts

    /// Returns a short text for an object.
    ///
    /// The server is omitted if it is the only one, and so is the accessory if its server has no other.
    package func text(of number: Int) -> String {
        ancestry(of: number)
            .filter { place in
                if place == number { return true }
                return entries[place].level == .server ? serverCount > 1 : !isOnlyAccessory(place)
            }
            .map { entries[$0].name }.joined(separator: "/")
    }

    /// Returns the texts of all objects of some levels, without duplicates.
    package func texts(of levels: Set<NameLevel>) -> [String] {
        var known: Set<String> = []
        var texts: [String] = []
        for number in numbers(of: levels) where isShort(number, maximumBytes: Self.maximumByteCount) {
            let text = text(of: number)
            if known.insert(text).inserted { texts.append(text) }
        }
        return texts
    }

    /// Returns whether the text of an object, with the names of all outer objects, has at most `maximumBytes` bytes.
    ///
    /// An accessory may have any name. A name of a megabyte must not be repeated in the text of each of its parts.
    private func isShort(_ number: Int, maximumBytes: Int) -> Bool {
        ancestry(of: number).reduce(0) { $0 + entries[$1].name.utf8.count + 1 } <= maximumBytes
    }

    /// Returns the first text that refers only to this object among the requested levels, or `nil` if there is none.
    package func distinctText(of number: Int, as levels: Set<NameLevel>) -> String? {
        let names = ancestry(of: number).map { entries[$0].name }
        let ids = entries[number].id.map { [$0, "\(names[0])/\($0)"] } ?? []
        return ([text(of: number), names.joined(separator: "/")] + ids).first { uniqueMatch($0, levels) == number }
    }

    /// Returns, for each object of a level, the shortest text that refers only to it, or `nil` if there is none.
    package func shortestTexts(of level: NameLevel) -> [String?] {
        // Many objects have the same short name.
        var known: [String: Int?] = [:]
        return numbers(of: [level])
            .map { number in
                guard isShort(number, maximumBytes: Self.maximumByteCount) else { return nil }
                let names = ancestry(of: number).map { entries[$0].name }
                return names.indices.reversed().lazy.map { names[$0...].joined(separator: "/") }
                    .first { text in
                        // An accessory may have any name, and each `/` multiplies the work.
                        guard text.utf8.count <= 256, text.utf8.count(where: { $0 == UInt8(ascii: "/") }) <= 16 else {
                            return false
                        }
                        let only = known[text] ?? uniqueMatch(text, [level])
                        known[text] = .some(only)
                        return only == number
                    }
            }
    }

    private func uniqueMatch(_ text: String, _ levels: Set<NameLevel>) -> Int? {
        let found = Self.paths(text).lazy.map { bestRanked(ranked(for: $0), levels) }.first { $0.count == 1 }
        return found?.first
    }
}

extension [Int] {
    /// Returns those elements of an ascending array that are in a range.
    fileprivate func elements(in range: Range<Int>) -> ArraySlice<Int> {
        self[firstPosition { $0 >= range.lowerBound }..<firstPosition { $0 >= range.upperBound }]
    }
}
