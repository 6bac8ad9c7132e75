internal import Glibc
internal import NIOCore

extension Error {
    /// The reason why a network operation failed, as the end of a sentence.
    ///
    /// NIO describes an error of the system with the name of an internal function, such as `read(descriptor:…)`. This is
    /// the text of the system alone, such as `Connection reset by peer`.
    var networkReason: String {
        switch self {
        case let error as IOError: String(cString: strerror(error.errnoCode))
        case is SocketAddressError, is SocketAddressError.UnknownHost: "the address is unknown"
        default: String(describing: self)
        }
    }
}
