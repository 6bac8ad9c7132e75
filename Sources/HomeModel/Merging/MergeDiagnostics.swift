internal import Documents
internal import HAPCore

/// What a merge finds in a file: what is missing, what waits and what is wrong, with the places of what the file names.
struct MergeDiagnostics {
    /// The home whose description is merged.
    var home = ObjectName.entireHome
    /// Accessories that are missing.
    var missing = DiagnosticList()
    /// What needs something that is missing.
    private(set) var pending = DiagnosticList()
    /// What is wrong.
    private(set) var errors = DiagnosticList()
    /// What finds names that are near to wrong ones, with one budget for all homes of the file.
    var spelling = SpellingSuggester()
    /// Where the file describes something, by the place of an error.
    private var locations: [String: SourceLocation] = [:]

    init() {}

    /// The place of a thing in the home, for errors.
    func path(_ names: ObjectName...) -> String {
        ([home] + names).map(\.text).joined(separator: "/")
    }

    /// Notes what is wrong.
    mutating func report(_ location: SourceLocation?, _ error: HomeError) {
        errors.append(error, at: location)
    }

    /// Notes what is wrong with the home.
    mutating func report(_ location: SourceLocation?, _ code: HomeError.Code, _ reason: String, remedy: String) {
        report(location, HomeError(code, at: home.text, reason, remedy: remedy))
    }

    /// Notes what needs something that is missing.
    mutating func addPending(_ location: SourceLocation?, _ error: HomeError) {
        pending.append(error, at: location)
    }

    /// Remembers where the file describes a thing of the home; the first location counts.
    mutating func recordLocation(_ location: SourceLocation?, at names: ObjectName...) {
        guard let location else { return }
        let key = ([home] + names).map(\.text).joined(separator: "/")
        if locations[key] == nil { locations[key] = location }
    }

    /// The location of what an error names, or of what contains it.
    func location(of error: HomeError) -> SourceLocation? {
        var parts = error.path.split(separator: "/", omittingEmptySubsequences: false)
        while !parts.isEmpty {
            if let location = locations[parts.joined(separator: "/")] { return location }
            parts.removeLast()
        }
        return nil
    }

    /// Whether the name is the first of its kind in the file.
    mutating func isFirst(_ name: Located<ObjectName>, _ kind: String, among keys: inout Set<String>) -> Bool {
        guard keys.insert(name.value.key).inserted else {
            report(name.location, .duplicateName(name.value, "another \(kind)", at: path(name.value)))
            return false
        }
        recordLocation(name.location, at: name.value)
        return true
    }

    /// The thing with a name; notes that there is none.
    mutating func find<Thing: HomeObject>(
        _ kind: String,
        _ name: Located<String>,
        in index: ObjectNames<Thing>
    ) -> ObjectID<Thing>? {
        if let id = index[name.value] { return id }
        report(name.location, unknown(kind, name.value, among: index.names))
        return nil
    }

    /// Returns what is wrong with an unknown name, with one that is near.
    mutating func unknown(_ kind: String, _ text: String, among names: some Sequence<String>) -> HomeError {
        .unknown(kind, named: text, at: home.text, among: names, &spelling)
    }
}

/// The findings of one kind: all are counted, and the first are kept.
struct DiagnosticList {
    /// The number of findings that are kept.
    static let maximum = 1_000

    /// The first findings, in the order in which they were found.
    private(set) var diagnostics: [Located<HomeError>] = []
    /// The number of all findings.
    private(set) var count = 0

    /// Notes something at a place.
    mutating func append(_ error: HomeError, at place: SourceLocation?) {
        count += 1
        if diagnostics.count < Self.maximum { diagnostics.append(Located(error, at: place)) }
    }

    /// The findings that are kept; before them, at a place, that there were more.
    func diagnosticsWithCount(_ kind: String, at place: SourceLocation?) -> [Located<HomeError>] {
        guard count > diagnostics.count else { return diagnostics }
        let reason = "There are \(count) \(kind), and \(diagnostics.count) are told."
        return [Located(HomeError(.tooMany, at: "", reason, remedy: "Mend these, and try again."), at: place)]
            + diagnostics
    }
}
