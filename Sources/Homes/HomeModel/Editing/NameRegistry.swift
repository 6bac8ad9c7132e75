/// The names that are taken, either by visible services and service groups or by accessories.
struct NameRegistry {
    /// The number of objects with each name, by the keys of the names.
    private var counts: [String: Int]

    init(_ names: some Sequence<ObjectName>) {
        counts = Dictionary(names.lazy.map { ($0.key, 1) }, uniquingKeysWith: +)
    }

    /// Returns whether a name is taken.
    func contains(_ name: ObjectName) -> Bool {
        counts[name.key] != nil
    }

    /// Returns the number of objects with a name.
    func count(of name: ObjectName) -> Int {
        counts[name.key] ?? 0
    }

    /// Adds a name.
    mutating func insert(_ name: ObjectName) {
        counts[name.key, default: 0] += 1
    }

    /// Removes a name; it stays taken if another object has it, too.
    mutating func remove(_ name: ObjectName) {
        guard let count = counts[name.key] else { return }
        counts[name.key] = count > 1 ? count - 1 : nil
    }

    /// Adds a name, with a number from 2 on appended if the name is taken, and returns it.
    ///
    /// The number is usually the lowest free one. It can be higher if many names are taken and some lower ones have
    /// become free.
    mutating func registerUnused(_ name: ObjectName) -> ObjectName {
        guard contains(name) else {
            insert(name)
            return name
        }
        let stem = NumberedName(name)
        let numbered = stem.name(unusedNumber(after: stem))
        insert(numbered)
        return numbered
    }

    /// Returns a free number whose predecessor is taken.
    ///
    /// The search doubles its steps, so that the ten-thousandth name costs little more than the second.
    private func unusedNumber(after stem: NumberedName) -> Int {
        func isTaken(_ number: Int) -> Bool { counts[stem.key(number)] != nil }
        for number in 2..<10 where !isTaken(number) { return number }
        // The highest number known to be taken, and the first one found to be free.
        var low = 9
        var high = 16
        while isTaken(high) {
            // All numbers tried so far are taken, possibly on purpose, so search one by one.
            guard high < 1 << 18 else { return (2...).first { !isTaken($0) } ?? high }
            low = high
            high *= 2
        }
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if isTaken(middle) {
                low = middle
            } else {
                high = middle
            }
        }
        return high
    }
}
