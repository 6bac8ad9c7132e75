import AccessoryFiles
import Documents
import HomeModel

/// What a home file makes of the homes that were served before: things keep their numbers, so that what is to end does.
struct ServedHomeMerge: Sendable {
    /// The homes then; those from before when there is an error.
    let homes: Homes
    /// The home that is to run: the primary one of the file, else its first; `nil` when there is an error.
    let home: Home?
    /// What there is to say of the file: errors, or what is missing.
    let findings: [Diagnostic]
    /// What is different from before, each a sentence.
    let changes: [String]

    /// - Parameters:
    ///   - path: The file, as it was named.
    ///   - kept: The homes from before.
    ///   - known: What is served.
    init(_ document: HomeDocument, of path: String, into kept: Homes, known: [KnownAccessory]) {
        var merge = HomeMerge(document, into: kept, known: known, extent: .whole)
        if !merge.errors.isEmpty {
            // The file counts, and not what stood in it before; numbers are not given again all the same.
            merge = HomeMerge(document, into: Homes(nextID: kept.nextID), known: known, extent: .whole)
        }
        let wanted = document.homes.first(where: \.isPrimary) ?? document.homes.first
        let findings = HomeFile.diagnostics(of: merge, in: path) + document.unknownTimeZones(in: path)
        let home = merge.homes.homes.first { $0.name.key == wanted?.name.value.key }
        guard merge.errors.isEmpty, let home else {
            homes = kept
            self.home = nil
            self.findings =
                findings.isEmpty
                ? [Diagnostic(.error, in: path, "there is no home in the file; begin with \"home: NAME\"")] : findings
            changes = []
            return
        }
        homes = merge.homes
        self.home = home
        self.findings = findings
        changes = merge.changes.map(\.text)
    }
}
