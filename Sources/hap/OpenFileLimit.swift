import Glibc
import HAPServer

/// How many files and connections the process may have open.
enum OpenFileLimit {
    /// How many descriptors a command takes beside those of the event loops: signals, run loop, database with its log
    /// and lock, the message bus, what is read and written, a listening socket and a few connections.
    private static let reservedDescriptors = 20

    /// Raises the limit as far as the process may: shells set a low one, for programs that use `select`.
    ///
    /// Returns the limit that holds now.
    @discardableResult
    static func raise() -> UInt64 {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        var raised = limit
        raised.rlim_cur = limit.rlim_max
        return setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0
            ? UInt64(raised.rlim_cur) : UInt64(limit.rlim_cur)
    }

    /// Checks that a command can open what it needs; raises the limit when that is not so.
    ///
    /// Event loops, dispatch queues and run loops end the process when they find no descriptor, so that this comes
    /// before anything that makes one.
    ///
    /// - Throws: ``CommandFailure`` which tells how many descriptors are missing.
    static func check() throws(CommandFailure) {
        let needed = reservedDescriptors + EventLoopDescriptors.count
        guard openableCount(upTo: needed).count < needed else { return }
        raise()
        let (count, error) = openableCount(upTo: needed)
        guard count < needed else { return }
        let remedy =
            error == ENFILE
            ? "close other programs, or raise the machine's limit with `sysctl fs.file-max`"
            : "raise the limit with `ulimit -n 1024`, or with LimitNOFILE= in a systemd unit"
        throw CommandFailure.failed(
            "Too few files and connections can be opened: \(count) of the \(needed) that hap needs: \(remedy)."
        )
    }

    /// How many descriptors can be opened now, and what the first one failed with that could not.
    ///
    /// Opening them is the only way that takes every limit into account: the machine has one, too.
    private static func openableCount(upTo needed: Int) -> (count: Int, error: Int32) {
        var descriptors: [Int32] = []
        defer {
            for descriptor in descriptors {
                close(descriptor)
            }
        }
        while descriptors.count < needed {
            let descriptor = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard descriptor >= 0 else { return (descriptors.count, errno) }
            descriptors.append(descriptor)
        }
        return (needed, 0)
    }
}
