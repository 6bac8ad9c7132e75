import HAPCore

/// What commands print on standard output.
enum Output {
    /// Prints a text as it is.
    ///
    /// - Returns: Whether somebody reads on.
    /// - Throws: ``CommandFailure`` when not all of it is taken.
    @discardableResult
    static func write(_ text: String) throws(CommandFailure) -> Bool {
        try FileDescriptorWriter.print(text)
    }

    /// Prints JSON on a line.
    ///
    /// - Throws: ``CommandFailure`` when not all of it is taken.
    static func write(_ writer: consuming JSONWriter) throws(CommandFailure) {
        try write(String(decoding: writer.finish(), as: UTF8.self) + "\n")
    }
}
