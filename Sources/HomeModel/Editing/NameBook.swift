/// The names that are taken among things that could be confused, for finding free ones.
struct NameBook {
    private var taken: Set<String>
    /// The number to try next for a name that was wanted before, so that the thousandth costs no more than the second.
    private var next: [String: Int] = [:]

    init(_ names: some Sequence<ObjectName>) {
        taken = Set(names.map(\.key))
    }

    /// Whether a name is taken.
    func contains(_ name: ObjectName) -> Bool {
        taken.contains(name.key)
    }

    /// Takes a name.
    mutating func insert(_ name: ObjectName) {
        taken.insert(name.key)
    }

    /// Takes a name, or when it is taken the first one that is free with 2, 3, 4 … behind it.
    mutating func free(_ name: ObjectName) -> ObjectName {
        guard contains(name) else {
            insert(name)
            return name
        }
        var number = next[name.key] ?? 2
        while true {
            guard let numbered = name.numbered(number) else {
                preconditionFailure("a name that is cut for its number is a name")
            }
            number += 1
            guard !contains(numbered) else { continue }
            next[name.key] = number
            insert(numbered)
            return numbered
        }
    }
}
