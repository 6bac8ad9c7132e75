import Hosting
import WebConsole

extension TraceWriter {
    /// Creates the file of a trace that is recorded while the process runs.
    ///
    /// - Throws: ``CommandFailure`` if the file cannot be written.
    convenience init(recordingTo path: String) throws {
        let errors = CommandContext.current.errors
        do throws(Failure) {
            try self.init(path: path) { failure in
                FileDescriptorWriter.write(
                    "hap: The trace \(path.printable) is incomplete: \(failure.reason). Free space on the disk and "
                        + "restart.\n",
                    to: errors
                )
            }
        } catch {
            throw CommandFailure.failed(
                "The trace cannot be written to \(path.printable): \(error.reason). Name a new file in a folder that "
                    + "you may write to."
            )
        }
    }
}
