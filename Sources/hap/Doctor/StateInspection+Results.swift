import AccessoryModel
import HAPCore
import Storage

extension StateInspection {
    /// Below this a write may fail soon.
    static let minimumFreeBytes = 64 << 20

    /// What the look at a state folder means.
    func results(folder: String) -> [CheckResult] {
        let subject = CheckSubject("State")
        guard exists else {
            return [
                subject.note("There is no folder \(folder) yet; the first 'hap serve' makes it.")
            ] + spaceResults(folder)
        }
        var diagnostics: [CheckResult] = []
        switch contents {
        case .none:
            diagnostics += subject.note("Nothing is kept in \(folder) yet; the first 'hap serve' does.")
        case .intact(let servers, let isCurrent):
            let kind =
                isCurrent ? "is whole" : "is whole and of an older version, which the next start brings up to date"
            diagnostics += subject.ok("The database in \(folder) \(kind) (\(size / 1_024) KiB).")
            diagnostics += servers.map(Self.serverResult)
        case .unreadable:
            diagnostics += subject.note(
                "The database in \(folder) was left by a server that was killed, and was not looked into.",
                remedy: "The next 'hap serve' takes in what is pending; ask again then."
            )
        case .unusable(let error):
            diagnostics += subject.problem(error.reason, remedy: error.remedy)
        }
        if let holder {
            diagnostics += subject.ok("It is held by \(holder), which serves from it.")
        }
        if !isWritable {
            diagnostics += subject.problem(
                "This user may not write \(folder) and all that is in it.",
                remedy: "Run as its owner, give it to this user with `chown -R`, or name another with --state."
            )
        }
        if isExposed {
            diagnostics += subject.problem(
                "Other users may read the database, and with it the keys of the pairings.",
                remedy: "Take it from them with `chmod -R go= \(folder.shellQuoted)`."
            )
        }
        return diagnostics + spaceResults(folder)
    }

    private func spaceResults(_ folder: String) -> [CheckResult] {
        guard let freeBytes, freeBytes < Self.minimumFreeBytes else { return [] }
        return [
            CheckResult(
                "State",
                freeBytes < 1 << 20 ? .problem : .note,
                "The disk of \(folder) has \(freeBytes >> 20) MiB left; when it is full no pairing can be kept.",
                remedy: "Free some space on that disk, or name a folder on another with --state."
            )
        ]
    }

    private static func serverResult(_ server: StoredServer) -> CheckResult {
        let name = "\(server.key) (\(server.deviceID ?? "not started yet"))"
        if server.failedProofs >= PairingTable.maximumFailedProofs {
            return CheckSubject("State")
                .problem(
                    "\(name): \(server.failedProofs) wrong setup codes were tried, so that nobody may pair.",
                    remedy: "Make it a new accessory with 'hap reset', which forgets its pairings, too."
                )
        }
        let pairing =
            server.admins > 0
            ? "paired with \(server.pairings) controller\(server.pairings == 1 ? "" : "s")" : "not paired"
        let port = server.port.map { ", port \($0)" } ?? ""
        let failures = server.failedProofs > 0 ? ", \(server.failedProofs) wrong setup codes so far" : ""
        return CheckSubject("State").ok("\(name): \(pairing)\(port)\(failures).")
    }
}
