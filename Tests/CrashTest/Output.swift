import Foundation

/// Prints a line without buffering, also into a pipe.
func printLine(_ line: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
}
