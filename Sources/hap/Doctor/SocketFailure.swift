import Glibc

/// Why a socket did not do what it was asked in the time it had.
enum SocketFailure: Error, Sendable, Hashable {
    /// The time is up.
    case timedOut
    /// The system said no, with this `errno`.
    case system(Int32)

    /// Whether nothing listens there.
    var isRefusal: Bool {
        self == .system(ECONNREFUSED)
    }
}

extension SocketFailure: CustomStringConvertible {
    /// The failure in the system's words.
    var description: String {
        switch self {
        case .timedOut: "no answer in time"
        case .system(let code): String(cString: strerror(code))
        }
    }
}
