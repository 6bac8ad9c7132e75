extension String {
    /// Whether so many combining marks follow each other that Unicode's order of them is slow to find.
    ///
    /// A comparison of two such texts takes a core minutes; those of a peer are left out.
    package var hasLongRunOfMarks: Bool {
        // Combining marks begin at U+0300.
        guard utf8.contains(where: { $0 >= 0xCC }) else { return false }
        var run = 0
        for scalar in unicodeScalars {
            if scalar.value >= 0x300, scalar.properties.canonicalCombiningClass != .notReordered {
                run += 1
                if run > 32 { return true }
            } else {
                run = 0
            }
        }
        return false
    }
}
