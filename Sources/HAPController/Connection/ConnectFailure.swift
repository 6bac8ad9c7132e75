internal import Glibc
internal import NIOCore
internal import NIOPosix

/// Why no connection to a place came about.
package enum ConnectFailure: Error, Sendable, Hashable {
    /// The system knows no address of the name.
    case unknownName
    /// Nothing answered in time.
    case timedOut
    /// The system reported this `errno`.
    case system(CInt)
    /// Any other failure, in words.
    case other(String)

    /// Takes what NIO reports.
    init(_ error: any Error) {
        switch error {
        case let error as IOError:
            self = .system(error.errnoCode)
        case let error as NIOConnectionError:
            self = error.connectionErrors.first.map { Self($0.error) } ?? .unknownName
        case ChannelError.connectTimeout:
            self = .timedOut
        default:
            self = .other(String(describing: error))
        }
    }

    /// Whether the machine is there and nothing listens on the port.
    package var isRefusal: Bool {
        self == .system(ECONNREFUSED)
    }
}

extension ConnectFailure: CustomStringConvertible {
    /// The failure as the end of a sentence, the system's in its own words.
    package var description: String {
        switch self {
        case .unknownName: "the name is not known"
        case .timedOut: "no answer in time"
        case .system(let code): String(cString: strerror(code))
        case .other(let reason): reason
        }
    }
}
