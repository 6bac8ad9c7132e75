import Foundation
import Glibc

/// What a process may use of the machine, and what it uses.
struct ProcessLimits: Sendable, Hashable {
    /// The process, `nil` for this one, whose successors have the same limits.
    var processID: Int32?
    var openFiles: Int?
    /// The soft limit on open files; `nil` for none.
    var maximumFiles: Int?
    /// The bytes that may be kept out of the swap; `nil` for no limit.
    var lockedBytes: Int?

    /// The limits of a running server, else those that one would start with; `nil` when they cannot be read.
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
                    "\(owner) may open \(maximumFiles) files and connections, which is few.",
                    remedy: remedy
                )
            } else {
                let used = openFiles.map { "has \($0) of" } ?? "may open"
                diagnostics += subject.ok("\(owner) \(used) \(maximumFiles) files and connections.")
            }
        }
        if let lockedBytes, lockedBytes < 64 << 10 {
            diagnostics += subject.note(
                "\(owner) may keep \(lockedBytes >> 10) KiB out of the swap, so keys can be written there.",
                remedy: "Raise it: LimitMEMLOCK=8M in the systemd unit, or `ulimit -l` before the start."
            )
        }
        return diagnostics
    }

    /// The first number behind a name in the text of `/proc/…/limits`; `nil` for `unlimited`.
    static func softLimit(_ name: String, in text: String) -> Int? {
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name) }) else { return nil }
        return line.dropFirst(name.count).split(separator: " ").first.flatMap { Int($0) }
    }
}

/// A file under `/proc`, which has no size and comes a page at a time.
enum KernelFile {
    /// The most bytes that are read; ten thousand connections have 1.5 MB.
    private static let maximumSize = 16 << 20

    /// The whole text, `nil` when it cannot be read.
    static func text(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var page = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count < maximumSize {
            let count = read(descriptor, &page, page.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            guard count > 0 else { break }
            bytes += page.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
