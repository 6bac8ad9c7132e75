import AccessoryModel
import HAPCore
import Storage

extension StateInspection {
    /// The number of free bytes below which a write may fail soon.
    static let minimumFreeBytes = 64 << 20

    /// Returns the results of the inspection of a state folder.
    func results(folder: String) -> [CheckResult] {
        let subject = CheckSubject("State")
        guard exists else {
            return [
                subject.note("There is no folder \(folder) yet; the first 'hap serve' creates it.")
            ] + spaceResults(folder)
        }
        var diagnostics: [CheckResult] = []
        switch contents {
        case .none:
            diagnostics += subject.note("\(folder) contains no state yet; the first 'hap serve' creates it.")
        case .intact(let servers, let isCurrent):
            let kind =
                isCurrent ? "is intact" : "is intact, but of an older version, which the next start updates"
            diagnostics += subject.ok("The database in \(folder) \(kind) (\(size / 1_024) KiB).")
            diagnostics += servers.map(Self.serverResult)
        case .unreadable:
            diagnostics += subject.note(
                "The database in \(folder) was left by a server that was killed, and was not checked.",
                remedy: "The next 'hap serve' completes its pending changes; check again then."
            )
        case .unusable(let error):
            diagnostics += subject.problem(error.reason, remedy: error.remedy)
        }
        if let holder {
            diagnostics += subject.ok("It is used by \(holder).")
        }
        if !isWritable {
            diagnostics += subject.problem(
                "This user may not write \(folder) and its files.",
                remedy: "Run hap as its owner, give it to this user with `chown -R`, or name another with --state."
            )
        }
        if isExposed {
            diagnostics += subject.problem(
                "Other users may read the database, which contains the keys of the pairings.",
                remedy: "Remove their permission with `chmod -R go= \(folder.shellQuoted)`."
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
                "The disk of \(folder) has \(freeBytes >> 20) MiB left; if it is full, no pairing can be saved.",
                remedy: "Free some space on that disk, or name a folder on another disk with --state."
            )
        ]
    }

    private static func serverResult(_ server: StoredServer) -> CheckResult {
        let name = "\(server.key) (\(server.deviceID ?? "not started yet"))"
        if server.failedProofs >= PairingTable.maximumFailedProofs {
            return CheckSubject("State")
                .problem(
                    "\(name): \(server.failedProofs) wrong setup codes were tried, so pairing is locked.",
                    remedy: "Make it a new accessory with 'hap reset', which also removes its pairings."
                )
        }
        let pairing =
            server.admins > 0
            ? "paired with \(counted(server.pairings, "controller"))" : "not paired"
        let port = server.port.map { ", port \($0)" } ?? ""
        let failures = server.failedProofs > 0 ? ", \(server.failedProofs) wrong setup codes so far" : ""
        return CheckSubject("State").ok("\(name): \(pairing)\(port)\(failures).")
    }
}
