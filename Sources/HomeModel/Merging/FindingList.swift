internal import Documents

/// What a merge finds of one kind: all is counted, and as much is kept as somebody would read.
struct FindingList {
    /// How much is kept.
    static let maximum = 1_000

    /// What is kept, in the order in which it was found.
    private(set) var findings: [Located<HomeError>] = []
    /// How much was found.
    private(set) var count = 0

    /// Notes something.
    mutating func append(_ finding: Located<HomeError>) {
        count += 1
        if findings.count < Self.maximum {
            findings.append(finding)
        }
    }

    /// Notes what another list has.
    mutating func append(_ other: FindingList) {
        count += other.count
        findings += other.findings.prefix(Self.maximum - findings.count)
    }

    /// What is kept; before it, at a place, that there was more.
    func told(_ kind: String, at place: SourceLocation?) -> [Located<HomeError>] {
        guard count > findings.count else { return findings }
        let error = HomeError(
            .tooMany,
            at: "",
            "There are \(count) \(kind), and \(findings.count) are told.",
            remedy: "Mend these, and try again."
        )
        return [Located(error, at: place)] + findings
    }
}
