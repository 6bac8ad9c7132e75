import FoundationEssentials
import HomeModel

/// A check of the machine's clock: its time, and whether a time server sets it.
struct ClockCheck: Sendable, Hashable {
    var now: Date
    /// The time when this program was built or installed.
    ///
    /// The current time cannot be earlier.
    var buildDate: Date?
    /// Whether a time server sets the clock, or `nil` if this is unknown.
    var isSynchronized: Bool?

    static func now() -> ClockCheck {
        let files = FileManager.default
        let program = files.contentsModificationDate(of: "/proc/self/exe")
        // Only systemd-timesyncd leaves files that show its state. Other time services would have to be asked.
        let folder = "/run/systemd/timesync"
        return ClockCheck(
            now: Date(),
            buildDate: program,
            isSynchronized: files.fileExists(atPath: folder) ? files.fileExists(atPath: folder + "/synchronized") : nil
        )
    }

    var result: CheckResult {
        let subject = CheckSubject("Clock")
        let text = "\(LineTime(WallInstant(seconds: Int64(now.timeIntervalSince1970))))"
        // One day of tolerance allows for wrong time zones of a file system or an image.
        if let buildDate, now < buildDate.addingTimeInterval(-86_400) {
            return subject.problem(
                "It is \(text) here, which is before this program was built: the clock is wrong.",
                remedy: "Set the clock, or turn on time synchronization with `timedatectl set-ntp true`."
            )
        }
        if isSynchronized == false {
            return subject.note(
                "It is \(text) here, but the clock is not yet synchronized with a time server.",
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
