import Glibc

/// Standard error, unbuffered.
enum StandardError {
    /// Writes all of a text, or as much of it as the other side takes.
    static func write(_ text: String) {
        FileDescriptorWriter.write(text, to: STDERR_FILENO)
    }
}
