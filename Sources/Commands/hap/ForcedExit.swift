import Dispatch
import Glibc

/// Ends a program that received a signal but cannot end by itself because its output is a full pipe that is not read.
enum ForcedExit {
    /// The time that output may take after a signal.
    private static let outputTimeout = DispatchTimeInterval.seconds(2)

    /// Lets the next signal end the process at once, and ends the process with status 1 after the timeout.
    ///
    /// A command with signals of its own is not alone in its process, which continues.
    static func schedule() {
        guard CommandContext.current.signals == nil else { return }
        signal(SIGINT, SIG_DFL)
        signal(SIGTERM, SIG_DFL)
        DispatchQueue.global().asyncAfter(deadline: .now() + outputTimeout) { _exit(1) }
    }
}
