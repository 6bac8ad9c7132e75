import Glibc

/// How many files and connections the process may have open.
enum OpenFileLimit {
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
}
