internal import Documents
internal import HAPCore

/// What a merge finds in a file: what is missing, what waits and what is wrong, with the places of what the file names.
struct MergeFindings {
    /// Accessories that are missing.
    var missing = FindingList()
    /// What needs something that is missing.
    var pending = FindingList()
    /// What is wrong.
    var errors = FindingList()
    /// Where the file describes something, by the place of an error.
    var places: [String: SourceLocation] = [:]
    /// What finds names that are near to wrong ones, with one budget for all homes of the file.
    var spelling = Spelling()
}

/// The findings of one kind: all are counted, and the first are kept.
struct FindingList {
    /// The number of findings that are kept.
    static let maximum = 1_000

    /// The first findings, in the order in which they were found.
    private(set) var findings: [Located<HomeError>] = []
    /// The number of all findings.
    private(set) var count = 0

    /// Notes something at a place.
    mutating func append(_ error: HomeError, at place: SourceLocation?) {
        count += 1
        if findings.count < Self.maximum { findings.append(Located(error, at: place)) }
    }

    /// The findings that are kept; before them, at a place, that there were more.
    func told(_ kind: String, at place: SourceLocation?) -> [Located<HomeError>] {
        guard count > findings.count else { return findings }
        let reason = "There are \(count) \(kind), and \(findings.count) are told."
        return [Located(HomeError(.tooMany, at: "", reason, remedy: "Mend these, and try again."), at: place)]
            + findings
    }
}
