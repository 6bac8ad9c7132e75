extension String {
    /// Whether so many combining marks follow each other, more than ``MarkRun/maximum``, that Unicode's order of them is
    /// slow to find.
    ///
    /// A comparison of two such texts takes a core minutes; those of a file or a peer are refused or left out.
    package var hasLongRunOfMarks: Bool {
        // In UTF-8, what combines begins with such a byte.
        guard utf8.contains(where: { $0 >= 0xCC }) else { return false }
        var run = MarkRun()
        return !unicodeScalars.allSatisfy { run.take($0) }
    }
}
