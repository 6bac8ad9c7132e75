internal import Documents

/// What was found odd in a dump, up to a number that people still read.
struct DumpDiagnostics {
    private let name: String
    private var errors: [Diagnostic] = []
    private var warnings = RepeatedDiagnostics()
    private var omittedErrors = 0
    private var omittedMembers = 0
    /// Members that are left out, each key once.
    private var ignoredMembers: [[UInt8]: (path: String, count: Int)] = [:]

    private static let maximumErrors = 100

    init(name: String) {
        self.name = name
    }

    /// Notes what the dump is refused for.
    mutating func addError(_ path: String, _ reason: @autoclosure () -> String) {
        if errors.count < Self.maximumErrors {
            errors.append(Diagnostic(.error, in: name, path: path, reason()))
        } else {
            omittedErrors += 1
        }
    }

    /// Notes what is odd and served all the same.
    mutating func addWarning(_ path: String, _ reason: String) {
        warnings.add(Diagnostic(.warning, in: name, path: path, reason))
    }

    /// Notes a member that does not belong where it stands; the same in many places is one warning.
    mutating func addIgnoredMember(_ key: String, at path: @autoclosure () -> String) {
        let bytes = Array(key.utf8)
        if ignoredMembers[bytes] != nil {
            ignoredMembers[bytes]?.count += 1
        } else if ignoredMembers.count < Self.maximumErrors {
            ignoredMembers[bytes] = (path(), 1)
        } else {
            omittedMembers += 1
        }
    }

    /// The warnings.
    ///
    /// - Throws: ``DocumentError`` with errors and warnings when there are errors.
    consuming func finish() throws(DocumentError) -> [Diagnostic] {
        var warnings = warnings.diagnostics
        for (key, place) in ignoredMembers.sorted(by: {
            $0.value.path.utf8.lexicographicallyPrecedes($1.value.path.utf8)
        }) {
            let more = place.count > 1 ? ", here and in \(place.count - 1) more places" : ""
            let reason =
                key.elementsEqual("ev".utf8)
                ? "\"ev\" tells of a connection and not of the device; it is left out\(more)"
                : "HAP has no such member; it is left out\(more)"
            warnings.append(Diagnostic(.warning, in: name, path: place.path, reason))
        }
        if omittedMembers > 0 {
            warnings.append(Diagnostic(.warning, in: name, "\(omittedMembers) more members are left out"))
        }
        guard !errors.isEmpty else { return warnings }
        if omittedErrors > 0 {
            errors.append(Diagnostic(.error, in: name, "there are \(omittedErrors) more errors"))
        }
        throw DocumentError(errors + warnings)
    }
}
