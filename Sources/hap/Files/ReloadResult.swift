import AccessoryFiles
import AccessoryModel
import Documents

/// What becomes of a file that was edited while it is served.
struct ReloadResult: Sendable {
    /// What is to be served from now on; `nil` when the old one stays.
    let file: ServedFile?
    /// What there is to say, a line each.
    let lines: [String]
    /// What there is to say once the new one is served.
    var notes: [String] = []

    /// Compares what is served, and what the server was started with, with what the file says now.
    init(
        of served: ServedFile,
        startedWith started: AccessoryDocument,
        _ reading: Result<AccessoryFileContents, DocumentError>
    ) {
        switch reading {
        case .failure(let error):
            file = nil
            lines = error.diagnostics.map(\.line) + ["\(served.path) is not reloaded; what was served before stays."]
        case .success(let reading):
            let old = served.document
            let new = reading.document
            guard new != old else {
                file = nil
                lines = ["\(served.path) says what it said before."]
                return
            }
            // The state is kept under the key: ids and pairings belong to the old one.
            guard new.key == old.key else {
                file = nil
                lines = [
                    "\(served.path) is not reloaded: as \"\(new.key)\" it is another accessory; restart 'hap serve' for "
                        + "that, or give it the id \"\(old.key)\"."
                ]
                return
            }
            file = ServedFile(
                path: served.path,
                document: new,
                isSimulated: served.isSimulated,
                changeDetector: served.changeDetector,
                seed: served.seed
            )
            lines = reading.warnings.map(\.line)
            notes = Self.notes(started, new).map { "\(served.path): \($0)" }
        }
    }

    /// What of an edit shows at the next start only.
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
                "its device ID, setup ID and configuration number are taken at the first start only; 'hap reset' lets the next "
                    + "start be that."
            )
        }
        return notes
    }
}

/// The file that a server serves.
struct ServedFile: Sendable {
    let path: String
    /// What it said when it was last right.
    let document: AccessoryDocument
    /// Whether values are moved.
    let isSimulated: Bool
    /// Tells when it is edited.
    var changeDetector: FileChangeDetector
    /// What the chance of simulated devices is drawn from.
    var seed: UInt64 = 0

    /// What of the file is served.
    var accessories: [Accessory] {
        document.makeAccessories(isSimulated: isSimulated, seed: seed)
    }
}
