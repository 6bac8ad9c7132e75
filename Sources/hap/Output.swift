import Glibc
import HAPCore

/// What commands print on standard output.
enum Output {
    /// Prints a text as it is.
    static func write(_ text: String) {
        FileDescriptorWriter.write(text, to: STDOUT_FILENO)
    }

    /// Prints JSON on a line.
    static func write(_ writer: consuming JSONWriter) {
        write(String(decoding: writer.finish(), as: UTF8.self) + "\n")
    }
}
