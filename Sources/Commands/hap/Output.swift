import Documents
import Glibc
import Hosting
import Resources
import Storage

/// Standard output.
enum Output {
    /// Prints a text as it is.
    ///
    /// If the reader has closed the pipe, printing ends early without an error.
    ///
    /// - Returns: Whether the reader still has the pipe open.
    /// - Throws: ``CommandFailure`` when not all of the text can be written for another reason.
    @discardableResult
    static func write(_ text: String) throws -> Bool {
        do {
            try FileDescriptorWriter.write(Array(text.utf8), to: CommandContext.current.output)
            return true
        } catch {
            guard errno == EPIPE else { throw error }
            return false
        }
    }
}

extension Output {
    /// Prints a value as JSON if that is requested, or else the text.
    static func write<Value>(
        _ text: @autoclosure () -> String,
        _ value: Value,
        _ format: Format<Value>,
        asJSON isJSON: Bool
    ) throws {
        try write(isJSON ? format.json(value) + "\n" : text())
    }
}

/// Standard error, unbuffered.
enum StandardError {
    /// Writes all of a text, or as much of it as can be written.
    static func write(_ text: String) {
        FileDescriptorWriter.write(text, to: CommandContext.current.errors)
    }
}

/// A writer of complete texts to a file descriptor.
enum FileDescriptorWriter {
    /// Writes all of a text.
    ///
    /// Errors are ignored, for example when the reader has closed the pipe.
    static func write(_ text: String, to descriptor: Int32) {
        try? write(Array(text.utf8), to: descriptor)
    }

    /// Writes all of some bytes.
    ///
    /// - Throws: ``CommandFailure`` when not all of them can be written.
    static func write(_ bytes: [UInt8], to descriptor: Int32) throws {
        guard AtomicFile.writeAll(bytes, to: descriptor) else {
            throw CommandFailure.failed(
                "The output could not be written completely: its reader has closed it, or the disk is full."
            )
        }
    }
}
