/// The names that are taken, for finding free ones: those of the services that people see and of the service groups, or
/// those of the accessories.
struct NameBook {
    private var taken: Set<String>

    init(_ names: some Sequence<ObjectName>) {
        taken = Set(names.lazy.map(\.key))
    }

    /// Whether a name is taken.
    func contains(_ name: ObjectName) -> Bool {
        taken.contains(name.key)
    }

    /// Takes a name.
    mutating func insert(_ name: ObjectName) {
        taken.insert(name.key)
    }

    /// Takes a name, or when it is taken one that is free with a number from 2 on behind it.
    ///
    /// The number is the first one that is free, unless many are taken and a few among them have become free.
    mutating func free(_ name: ObjectName) -> ObjectName {
        guard contains(name) else {
            insert(name)
            return name
        }
        let stem = NumberedName(name)
        let numbered = stem.name(freeNumber(behind: stem))
        insert(numbered)
        return numbered
    }

    /// A number that is free while the one before it is not; in steps that double, so that the ten-thousandth costs little
    /// more than the second.
    private func freeNumber(behind stem: NumberedName) -> Int {
        func isTaken(_ number: Int) -> Bool { taken.contains(stem.key(number)) }
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
