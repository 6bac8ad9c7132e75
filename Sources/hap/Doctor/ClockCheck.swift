import Foundation

/// What the machine's clock says, and whether it follows a time server.
struct ClockCheck: Sendable, Hashable {
    var now: Date
    /// When this program was built or installed; the present cannot be before.
    var buildDate: Date?
    /// `nil` when it cannot be told.
    var isSynchronized: Bool?

    static func now() -> ClockCheck {
        let files = FileManager.default
        let program = files.contentsModificationDate(of: "/proc/self/exe")
        // What systemd-timesyncd leaves; of other time services nothing can be read without asking them.
        let folder = "/run/systemd/timesync"
        return ClockCheck(
            now: Date(),
            buildDate: program,
            isSynchronized: files.fileExists(atPath: folder) ? files.fileExists(atPath: folder + "/synchronized") : nil
        )
    }

    var result: CheckResult {
        let subject = CheckSubject("Clock")
        let text = now.ISO8601Format()
        // A day for time zones that a file system or an image got wrong.
        if let buildDate, now < buildDate.addingTimeInterval(-86_400) {
            return subject.problem(
                "It is \(text) here, which is before this program was made: the clock is wrong.",
                remedy: "Set it, or let it be set: `timedatectl set-ntp true`."
            )
        }
        if isSynchronized == false {
            return subject.note(
                "It is \(text) here, not yet confirmed by a time server.",
                remedy: "See `timedatectl timesync-status`."
            )
        }
        return subject.ok("It is \(text)\(isSynchronized == true ? ", set by a time server" : "").")
    }
}

extension FileManager {
    fileprivate func contentsModificationDate(of path: String) -> Date? {
        let path = (try? destinationOfSymbolicLink(atPath: path)) ?? path
        return (try? attributesOfItem(atPath: path))?[.modificationDate] as? Date
    }
}
