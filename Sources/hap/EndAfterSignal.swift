import Dispatch
import Glibc

/// What ends a program that was told to end and cannot: its output is a pipe that is full, and nobody reads on.
enum EndAfterSignal {
    /// How long output may take after a signal.
    private static let patience = DispatchTimeInterval.seconds(2)

    /// Lets the next signal end the process at once, and ends it with status 1 when it is still there after a while.
    static func insist() {
        signal(SIGINT, SIG_DFL)
        signal(SIGTERM, SIG_DFL)
        DispatchQueue.global().asyncAfter(deadline: .now() + patience) { _exit(1) }
    }
}
