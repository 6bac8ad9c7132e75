internal import Documents

/// The errors and warnings of a dump.
///
/// Their number is limited, so that the output stays readable.
struct DumpDiagnostics {
    private let name: String
    private var errors: [Diagnostic] = []
    private var warnings = RepeatedDiagnostics()
    private var omittedErrors = 0
    private var omittedMembers = 0
    /// The omitted members: the first path and the count of each key.
    private var ignoredMembers: [[UInt8]: (path: String, count: Int)] = [:]

    private static let maximumErrors = 100

    init(name: String) {
        self.name = name
    }

    /// Adds a reason to refuse the dump.
    mutating func addError(_ path: String, _ reason: @autoclosure () -> String) {
        if errors.count < Self.maximumErrors {
            errors.append(Diagnostic(.error, in: name, path: path, reason()))
        } else {
            omittedErrors += 1
        }
    }

    /// Adds a warning for something unusual that is served unchanged.
    mutating func addWarning(_ path: String, _ reason: String) {
        warnings.add(Diagnostic(.warning, in: name, path: path, reason))
    }

    /// Records a member that is ignored, because HAP does not define its key there.
    ///
    /// All members with the same key result in one warning.
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

    /// Returns the warnings.
    ///
    /// - Throws: ``DocumentError`` with errors and warnings if there are errors.
    consuming func finish() throws(DocumentError) -> [Diagnostic] {
        var warnings = warnings.diagnostics
        for (key, place) in ignoredMembers.sorted(by: {
            $0.value.path.utf8.lexicographicallyPrecedes($1.value.path.utf8)
        }) {
            let more = place.count > 1 ? " in \(place.count) places" : ""
            let reason =
                key.elementsEqual("ev".utf8)
                ? "\"ev\" belongs to a connection, not to the device; it is left out\(more)"
                : "HAP does not define this member; it is left out\(more)"
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
