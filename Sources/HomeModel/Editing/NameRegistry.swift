/// The names that are taken, for finding free ones: those of the services that people see and of the service groups, or
/// those of the accessories.
struct NameRegistry {
    private var keys: Set<String>

    init(_ names: some Sequence<ObjectName>) {
        keys = Set(names.lazy.map(\.key))
    }

    /// Whether a name is taken.
    func contains(_ name: ObjectName) -> Bool {
        keys.contains(name.key)
    }

    /// Takes a name.
    mutating func insert(_ name: ObjectName) {
        keys.insert(name.key)
    }

    /// Takes a name, or when it is taken one that is free with a number from 2 on behind it.
    ///
    /// The number is the first one that is free, unless many are taken and a few among them have become free.
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

    /// A number that is free while the one before it is not; in steps that double, so that the ten-thousandth costs little
    /// more than the second.
    private func unusedNumber(after stem: NumberedName) -> Int {
        func isTaken(_ number: Int) -> Bool { keys.contains(stem.key(number)) }
        for number in 2..<10 where !isTaken(number) { return number }
        // The last one known to be taken, and the first one found to be free.
        var low = 9
        var high = 16
        while isTaken(high) {
            // Somebody has taken just those that are tried.
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
