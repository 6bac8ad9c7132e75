internal import Documents
internal import HAPCore

/// The findings of a merge, with the locations of the file's objects: missing accessories, pending parts and errors.
struct MergeDiagnostics {
    /// The home that is merged.
    var home = ObjectName.entireHome
    /// The missing accessories.
    var missing = DiagnosticList()
    /// The parts that need a missing accessory.
    private(set) var pending = DiagnosticList()
    /// The errors.
    private(set) var errors = DiagnosticList()
    /// The suggester of similar names, with one budget for all homes of the file.
    var spelling = SpellingSuggester()
    /// The locations in the file by the paths of errors.
    private var locations: [String: SourceLocation] = [:]

    init() {}

    /// Returns the path of an object in the home, for errors.
    func path(_ names: ObjectName...) -> String {
        ([home] + names).map(\.text).joined(separator: "/")
    }

    /// Reports an error.
    mutating func report(_ location: SourceLocation?, _ error: HomeError) {
        errors.append(error, at: location)
    }

    /// Reports an error of the home.
    mutating func report(_ location: SourceLocation?, _ code: HomeError.Code, _ reason: String, remedy: String) {
        report(location, HomeError(code, at: home.text, reason, remedy: remedy))
    }

    /// Reports a part that needs a missing accessory.
    mutating func addPending(_ location: SourceLocation?, _ error: HomeError) {
        pending.append(error, at: location)
    }

    /// Records the location of an object in the file; only the first location of an object counts.
    mutating func recordLocation(_ location: SourceLocation?, at names: ObjectName...) {
        guard let location else { return }
        let key = ([home] + names).map(\.text).joined(separator: "/")
        if locations[key] == nil { locations[key] = location }
    }

    /// Returns the location of the object that an error refers to, or of its nearest parent with a location.
    func location(of error: HomeError) -> SourceLocation? {
        var parts = error.path.split(separator: "/", omittingEmptySubsequences: false)
        while !parts.isEmpty {
            if let location = locations[parts.joined(separator: "/")] { return location }
            parts.removeLast()
        }
        return nil
    }

    /// Returns whether a name is the first of its kind in the file, and otherwise reports an error.
    mutating func isFirst(_ name: Located<ObjectName>, _ kind: String, among keys: inout Set<String>) -> Bool {
        guard keys.insert(name.value.key).inserted else {
            report(name.location, .duplicateName(name.value, "another \(kind)", at: path(name.value)))
            return false
        }
        recordLocation(name.location, at: name.value)
        return true
    }

    /// Returns the object with a name, and reports an error if there is none.
    mutating func find<Object: HomeObject>(
        _ name: Located<String>,
        in objects: ObjectNames<Object>
    ) -> ObjectID<Object>? {
        if let id = objects[name.value] { return id }
        report(name.location, unknown(Object.kindName, name.value, among: objects.names))
        return nil
    }

    /// Returns an error for an unknown name, with a suggestion if a similar name exists.
    mutating func unknown(_ kind: String, _ text: String, among names: some Collection<String>) -> HomeError {
        .unknown(kind, named: text, at: home.text, among: names, &spelling)
    }
}

/// A list of findings that counts all of them, but stores only the first ones.
struct DiagnosticList {
    /// The maximum number of stored findings.
    static let maximum = 1_000

    /// The first findings, in the order in which they were reported.
    private(set) var diagnostics: [Located<HomeError>] = []
    /// The number of all findings.
    private(set) var count = 0

    /// Adds a finding with its location.
    mutating func append(_ error: HomeError, at place: SourceLocation?) {
        count += 1
        if diagnostics.count < Self.maximum { diagnostics.append(Located(error, at: place)) }
    }

    /// Returns the stored findings, after a finding with the total count if not all are stored.
    func diagnosticsWithCount(_ kind: String, at place: SourceLocation?) -> [Located<HomeError>] {
        guard count > diagnostics.count else { return diagnostics }
        let reason = "There are \(count) \(kind); the first \(diagnostics.count) are reported."
        return [Located(HomeError(.tooMany, at: "", reason, remedy: "Fix these, and try again."), at: place)]
            + diagnostics
    }
}
