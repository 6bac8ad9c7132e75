import Foundation

/// Prints a line at once, also into a pipe.
func printLine(_ line: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
}
