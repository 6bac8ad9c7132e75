import Glibc
import Storage

/// What commands print on standard output.
enum Output {
    /// Prints a text as it is; a reader that has gone ends it early.
    ///
    /// - Returns: Whether somebody reads on.
    /// - Throws: ``CommandFailure`` when not all of it is taken.
    @discardableResult
    static func write(_ text: String) throws(CommandFailure) -> Bool {
        do throws(CommandFailure) {
            try FileDescriptorWriter.write(Array(text.utf8), to: STDOUT_FILENO)
            return true
        } catch {
            guard errno == EPIPE else { throw error }
            return false
        }
    }
}

/// Standard error, unbuffered.
enum StandardError {
    /// Writes all of a text, or as much of it as the other side takes.
    static func write(_ text: String) {
        FileDescriptorWriter.write(text, to: STDERR_FILENO)
    }
}

/// Writes whole texts to a file descriptor.
enum FileDescriptorWriter {
    /// Writes all of a text; a reader that has gone ends it early.
    static func write(_ text: String, to descriptor: Int32) {
        try? write(Array(text.utf8), to: descriptor)
    }

    /// Writes all of some bytes.
    ///
    /// - Throws: ``CommandFailure`` when not all of them are taken.
    static func write(_ bytes: [UInt8], to descriptor: Int32) throws(CommandFailure) {
        guard AtomicFile.writeAll(bytes, to: descriptor) else {
            throw CommandFailure.failed(
                "Not everything could be written; whoever reads it has gone, or the disk is full."
            )
        }
    }
}
