internal import Glibc
internal import HAPCore
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
        package let code: Int32
    }

    /// Creates the file, or empties it.
    ///
    /// Only its owner can read it.
    ///
    /// - Parameter onFailure: Is called once if something cannot be written; the trace ends there.
    /// - Throws: ``Failure`` with the reason of the system; also if the path is a link or not a file.
    package init(path: String, onFailure: @escaping @Sendable (Failure) -> Void) throws(Failure) {
        self.onFailure = onFailure
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw Failure(code: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, fchmod(descriptor, 0o600) == 0 else {
            let code = errno
            close(descriptor)
            throw Failure(code: code)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw Failure(code: EINVAL)
        }
        var first = TraceRecord(.trace)
        first.time = .now
        write(first)
    }

    deinit {
        close(descriptor)
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
