import FoundationEssentials
import Glibc
import Hosting

/// The resource limits of a process, and its number of open files.
struct ProcessLimits: Sendable, Hashable {
    /// The process, or `nil` for this process, which passes its limits on to the servers that it starts.
    var processID: Int32?
    var openFiles: Int?
    /// The soft limit on open files, or `nil` for no limit.
    var maximumFiles: Int?
    /// The number of bytes that may be locked in memory, so that they are not swapped, or `nil` for no limit.
    var lockedBytes: Int?

    /// Returns the limits of a running server, or else those of a server that would be started here.
    ///
    /// Returns `nil` if the limits cannot be read.
    static func read(of processID: Int32?) -> ProcessLimits? {
        let folder = "/proc/\(processID.map { String($0) } ?? "self")"
        guard let text = KernelFile.text(folder + "/limits") else { return nil }
        return ProcessLimits(
            processID: processID,
            openFiles: processID == nil
                ? nil : (try? FileManager.default.contentsOfDirectory(atPath: folder + "/fd"))?.count,
            maximumFiles: softLimit("Max open files", in: text),
            lockedBytes: softLimit("Max locked memory", in: text)
        )
    }

    var results: [CheckResult] {
        let subject = CheckSubject("Limits")
        let owner = processID.map { "Process \($0)" } ?? "A server that is started here"
        var diagnostics: [CheckResult] = []
        if let maximumFiles {
            let remedy = "Raise it: LimitNOFILE= in the systemd unit, or `ulimit -n 4096` before the start."
            if let openFiles, openFiles >= maximumFiles - maximumFiles / 10 {
                diagnostics += subject.problem(
                    "\(owner) has \(openFiles) of \(maximumFiles) files and connections open.",
                    remedy: remedy
                )
            } else if maximumFiles < 256 {
                diagnostics += subject.note(
                    "\(owner) may open only \(maximumFiles) files and connections.",
                    remedy: remedy
                )
            } else {
                let used = openFiles.map { "has \($0) of" } ?? "may open"
                diagnostics += subject.ok("\(owner) \(used) \(maximumFiles) files and connections.")
            }
        }
        if let lockedBytes, lockedBytes < 64 << 10 {
            diagnostics += subject.note(
                "\(owner) may lock only \(lockedBytes >> 10) KiB in memory, so keys can be swapped to disk.",
                remedy: "Raise it: LimitMEMLOCK=8M in the systemd unit, or `ulimit -l` before the start."
            )
        }
        return diagnostics
    }

    /// Returns the first number after a name in the text of `/proc/…/limits`, or `nil` for `unlimited`.
    static func softLimit(_ name: String, in text: String) -> Int? {
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name) }) else { return nil }
        return line.dropFirst(name.count).split(separator: " ").first.flatMap { Int($0) }
    }
}

/// A file under `/proc`, which has no size and is read page by page.
enum KernelFile {
    /// The maximum number of bytes that are read.
    ///
    /// With ten thousand connections, the table of connections is about 1.5 MB long.
    private static let maximumSize = 16 << 20

    /// Returns the complete text, or `nil` if the file cannot be read.
    static func text(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let bytes = try? RegularFile.content(expecting: 64 << 10, upTo: maximumSize) {
            read(descriptor, $0.baseAddress, $0.count)
        }
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }
}
