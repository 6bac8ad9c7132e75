internal import Glibc
internal import HAPServer

/// The number of files and connections that the process may have open.
package enum OpenFileLimit {
    /// The number of descriptors that a command needs in addition to those of the event loops.
    ///
    /// They are for signals, the run loop, the database with its log and lock, the message bus, input and output files,
    /// a listening socket and a few connections.
    private static let reservedDescriptors = 20

    /// Raises the limit as far as the process may.
    ///
    /// Shells set a low limit for programs that use `select`.
    ///
    /// - Returns: The limit that applies now.
    @discardableResult
    package static func raise() -> UInt64 {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        var raised = limit
        raised.rlim_cur = limit.rlim_max
        return setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0
            ? UInt64(raised.rlim_cur) : UInt64(limit.rlim_cur)
    }

    /// Checks that a command can open the descriptors that it needs, and raises the limit if necessary.
    ///
    /// Event loops, dispatch queues and run loops end the process when no descriptor is available. So this check runs
    /// before any of them is created.
    ///
    /// - Throws: ``HostError`` that says how many descriptors are missing.
    package static func check() throws(HostError) {
        let needed = reservedDescriptors + EventLoopDescriptors.count
        guard openableCount(upTo: needed).count < needed else { return }
        raise()
        let (count, error) = openableCount(upTo: needed)
        guard count < needed else { return }
        let remedy =
            error == ENFILE
            ? "close other programs, or raise the machine's limit with `sysctl fs.file-max`"
            : "raise the limit with `ulimit -n 1024`, or with LimitNOFILE= in a systemd unit"
        throw HostError.failed(
            "hap can open only \(count) of the \(needed) files and connections that it needs: \(remedy)."
        )
    }

    /// Returns how many descriptors can be opened now, and the error of the first one that could not be opened.
    ///
    /// This opens descriptors, because the machine has a limit in addition to that of the process.
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
