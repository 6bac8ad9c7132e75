package import AccessoryFiles
package import Documents

/// The result of reading a file again after it was edited while it is served.
package struct ReloadResult: Sendable {
    /// The new file to serve, or `nil` if the server continues to serve the previous version.
    package let file: HostedContent.File?
    /// The lines to print.
    package let lines: [String]
    /// The lines to print after the new file is served.
    package var notes: [String] = []

    /// Compares the new contents of a file with the served contents and with the contents at the start of the server.
    package init(
        of served: HostedContent.File,
        _ changeDetector: FileChangeDetector,
        _ reading: Result<AccessoryFileContents, DocumentError>
    ) {
        switch reading {
        case .failure(let error):
            file = nil
            lines = error.diagnostics.map(\.line) + ["\(served.path) is not reloaded; the previous version stays."]
        case .success(let reading):
            let old = served.document
            let new = reading.document
            guard new != old else {
                file = nil
                lines = ["\(served.path) has the same content as before."]
                return
            }
            // The state is stored under the key, so IDs and pairings belong to the old key.
            guard new.key == old.key else {
                file = nil
                lines = [
                    "\(served.path) is not reloaded: with the id \"\(new.key)\" it is another accessory; restart "
                        + "'hap serve' to serve that, or give it the id \"\(old.key)\"."
                ]
                return
            }
            file = served.edited(new, changeDetector)
            lines = reading.warnings.map(\.line)
            notes = Self.notes(served.startDocument, new).map { "\(served.path): \($0)" }
        }
    }

    /// Returns notes about the changes that take effect only at the next start.
    private static func notes(_ old: AccessoryDocument, _ new: AccessoryDocument) -> [String] {
        var changes: [String] = []
        if new.name != old.name { changes.append("its name on the network") }
        if new.category != old.category { changes.append("its category") }
        if new.setupCode != old.setupCode { changes.append("its setup code") }
        if new.isVerbatim != old.isVerbatim { changes.append("whether it is served verbatim") }
        var notes = changes.isEmpty ? [] : ["restart 'hap serve' to change \(changes.joined(separator: ", "))."]
        if new.deviceID != old.deviceID || new.setupID != old.setupID
            || new.configurationNumber != old.configurationNumber
        {
            notes.append(
                "its device ID, setup ID and configuration number are used only at the first start; run 'hap reset' "
                    + "to use them."
            )
        }
        return notes
    }
}
