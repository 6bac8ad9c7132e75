internal import AccessoryModel
internal import Glibc
public import HAPCore
internal import NIOCore

/// An error that prevents a server from starting, or from doing what the program requested.
///
/// This is the only error type of this module.
public struct ServerError: ExplainedError {
    /// The kinds of errors.
    public enum Code: String, Sendable, Hashable {
        /// The server cannot listen on the address: it is in use, or does not belong to this machine.
        case address
        /// The store failed.
        case store
        /// The accessories cannot be served as they are declared.
        case declaration
        /// A value is not valid for its characteristic.
        case value
        /// Any other error.
        case other
    }

    /// The kind of error.
    public var code: Code
    /// A sentence that says what happened.
    public var reason: String
    /// A sentence that says what the user can do.
    public var remedy: String

    /// Creates an error.
    public init(_ code: Code, reason: String, remedy: String) {
        self.code = code
        self.reason = reason
        self.remedy = remedy
    }
}

extension ServerError {
    /// Pairing is not possible.
    static let noLibcrypto = ServerError(
        .other,
        reason: "The library libcrypto.so.3, which pairing needs, cannot be loaded.",
        remedy: "Install it, on Debian with `apt install libssl3`."
    )

    /// Converts an error that occurred during the start.
    init(_ error: any Error) {
        switch error {
        case let error as ServerError:
            self = error
        case let error as StoreError:
            self.init(.store, reason: error.reason, remedy: error.remedy)
        case let error as ModelError:
            self.init(.declaration, reason: "\(error).", remedy: "Fix the declaration and start again.")
        default:
            self.init(
                .other,
                reason: "The server failed: \(error).",
                remedy: "Try again; report it if it happens "
                    + "again."
            )
        }
    }

    /// Combines all errors of a declaration.
    init(_ faults: [ModelError]) {
        self.init(
            .declaration,
            reason: faults.map { "\($0)." }.joined(separator: "\n"),
            remedy: "Fix the declaration and start again."
        )
    }

    /// - Parameter ports: The ports that were tried; the error is that of the last one.
    init(binding address: String?, ports: ClosedRange<Int>, _ error: any Error) {
        let place = address.map { "\($0) port \(ports.upperBound)" } ?? "port \(ports.upperBound)"
        let text: (reason: String, remedy: String) =
            switch (error as? IOError)?.errnoCode {
            case EADDRINUSE where ports.count > 1:
                (
                    "Other programs listen on all ports from \(ports.lowerBound) to \(ports.upperBound).",
                    "End one of them, or choose another port."
                )
            case EADDRINUSE: ("Another program listens on \(place).", "End it, or choose another port.")
            case EACCES: ("Listening on \(place) is not allowed.", "Choose a port above 1023.")
            case EADDRNOTAVAIL:
                (
                    "This machine does not have the address \(address ?? "::").",
                    "Choose one of its own addresses, or none to listen on all."
                )
            default: ("Listening on \(place) failed: \(error.networkReason).", "Check the address and the port.")
            }
        self.init(.address, reason: text.reason, remedy: text.remedy)
    }
}
