import Documents
import Glibc
import Hosting

/// Reads a complete input of a command.
enum InputText {
    /// One byte more than the largest valid home file, so that the reader reports a larger file.
    private static let maximumSize = 1 << 20 + 1

    /// Reads a file, or standard input if its name is `-`.
    ///
    /// - Throws: `DocumentError` if it cannot be read, or if a file is larger than a home file may be.
    static func read(_ file: String) throws(DocumentError) -> [UInt8] {
        guard file == "-" else { return try RegularFile(file, upTo: maximumSize).bytes }
        let input = CommandContext.current.input
        do throws(PathDescriptor.Failure) {
            return try RegularFile.content(expecting: 64 << 10, upTo: maximumSize) {
                Glibc.read(input, $0.baseAddress, $0.count)
            }
        } catch {
            throw DocumentError(in: "standard input", "it cannot be read; send the text through a pipe, or name a file")
        }
    }
}
