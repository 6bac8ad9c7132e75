/// The names that are taken, either by visible services and service groups or by accessories.
struct NameRegistry {
    private var keys: Set<String>

    init(_ names: some Sequence<ObjectName>) {
        keys = Set(names.lazy.map(\.key))
    }

    /// Returns whether a name is taken.
    func contains(_ name: ObjectName) -> Bool {
        keys.contains(name.key)
    }

    /// Adds a name.
    mutating func insert(_ name: ObjectName) {
        keys.insert(name.key)
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
        func isTaken(_ number: Int) -> Bool { keys.contains(stem.key(number)) }
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
