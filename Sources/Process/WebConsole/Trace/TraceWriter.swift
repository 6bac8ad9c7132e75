internal import Glibc
internal import HAPCore
internal import Hosting
internal import Storage
internal import Synchronization

/// A file to which the decrypted messages of servers are written, one JSON object in each line.
///
/// Lines are composed and written on a queue, so that a server only hands over the message. If the disk is too slow,
/// messages are left out, and a record in their place says how many.
package final class TraceWriter: Sendable {
    /// The maximum number of messages that wait to be written.
    private static let capacity = 10_000
    /// The maximum number of bytes of their bodies.
    private static let maximumSize = 16 << 20

    private let descriptor: Int32
    private let onFailure: @Sendable (Failure) -> Void
    private let queue = MessageQueue("hap.trace", capacity: TraceWriter.capacity, maximumSize: TraceWriter.maximumSize)
    private let hasFailed = Atomic(false)

    /// An error that prevents a trace.
    package struct Failure: Error {
        /// The reason without a period.
        package let reason: String

        fileprivate init(_ reason: String) {
            self.reason = reason
        }

        /// Creates a failure with the system's reason.
        fileprivate init(code: Int32) {
            reason = String(cString: strerror(code))
        }
    }

    /// Creates the file, or empties it.
    ///
    /// Only its owner can read it. A file that another user may have put there is left as it is.
    ///
    /// - Parameters:
    ///   - user: The user to whom an existing file must belong.
    ///   - onFailure: Is called once if something cannot be written; the trace ends there.
    /// - Throws: ``Failure``; also if the path is a link or not a file, or if the file belongs to another user or has
    ///   other names.
    package init(
        path: String,
        of user: UInt32 = geteuid(),
        onFailure: @escaping @Sendable (Failure) -> Void
    ) throws(Failure) {
        self.onFailure = onFailure
        descriptor = try Self.openEmpty(path, of: user)
        var first = TraceRecord(.trace)
        first.time = .now
        write(first)
    }

    deinit {
        close(descriptor)
    }

    /// Opens a new file or an existing one, which is emptied only after it was checked.
    private static func openEmpty(_ path: String, of user: uid_t) throws(Failure) -> Int32 {
        var status = stat()
        // Opening a pipe would already have an effect on its reader.
        if lstat(path, &status) == 0 { try check(status, user) }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0o600)
        guard descriptor >= 0 else { throw Failure(code: errno) }
        do throws(Failure) {
            guard fstat(descriptor, &status) == 0 else { throw Failure(code: errno) }
            try check(status, user)
            guard fchmod(descriptor, 0o600) == 0, ftruncate(descriptor, 0) == 0 else { throw Failure(code: errno) }
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    private static func check(_ status: stat, _ user: uid_t) throws(Failure) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFLNK: throw Failure("it is a link")
        default: throw Failure("it is not a file")
        }
        guard status.st_uid == user else { throw Failure("it belongs to another user") }
        guard status.st_nlink <= 1 else { throw Failure("it has other names (hard links)") }
    }

    /// Waits until everything that was handed over is written.
    package func flush() {
        queue.flush()
        writeMissed(queue.takeDropped())
    }

    /// Writes a record, unless too many are waiting.
    func enqueue(size: Int, _ record: @escaping @Sendable () -> TraceRecord) {
        guard !hasFailed.load(ordering: .relaxed) else { return }
        queue.enqueue(size: size) { [self] missed in
            writeMissed(missed)
            write(record())
        }
    }

    /// Writes how many records were left out.
    private func writeMissed(_ count: Int) {
        guard count > 0 else { return }
        var note = TraceRecord(.dropped)
        note.time = .now
        note.hiddenBytes = count
        write(note)
    }

    private func write(_ record: TraceRecord) {
        guard !AtomicFile.writeAll(Array(record.line.utf8), to: descriptor) else { return }
        let code = errno
        if !hasFailed.exchange(true, ordering: .relaxed) { onFailure(Failure(code: code)) }
    }
}
