internal import AccessoryModel
internal import Glibc
internal import NIOCore

extension ServerError {
    /// What a failure at start means to the person who started the server.
    init(_ error: any Error) {
        switch error {
        case let error as ServerError:
            self = error
        case let error as StoreError:
            self.init(.store, reason: error.reason, remedy: error.remedy)
        case let error as ModelError:
            self.init(.declaration, reason: "\(error).", remedy: "Mend the declaration and start again.")
        default:
            self.init(.other, reason: "The server failed: \(error).", remedy: "Try again; report it if it comes back.")
        }
    }

    /// All faults of a declaration together.
    init(_ faults: [ModelError]) {
        self.init(
            .declaration,
            reason: faults.map { "\($0)." }.joined(separator: "\n"),
            remedy: "Mend the declaration and start again."
        )
    }

    init(binding address: String?, port: Int, _ error: any Error) {
        let place = address.map { "\($0) port \(port)" } ?? "port \(port)"
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE:
            self.init(
                .address,
                reason: "Another program listens on \(place).",
                remedy: "End it, or choose another port."
            )
        case EACCES:
            self.init(
                .address,
                reason: "Listening on \(place) is not allowed.",
                remedy: "Choose a port above 1023."
            )
        case EADDRNOTAVAIL:
            self.init(
                .address,
                reason: "This machine does not have the address \(address ?? "::").",
                remedy: "Choose one of its own addresses, or none to listen on all."
            )
        default:
            self.init(
                .address,
                reason: "Listening on \(place) failed: \(error).",
                remedy: "Check the address and the port."
            )
        }
    }
}
