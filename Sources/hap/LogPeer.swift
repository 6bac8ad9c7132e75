import HAPCore
import HAPServer

/// Who is at the other end of a connection, as far as the log knows.
enum LogPeer: Sendable {
    /// Nobody's session yet.
    case stranger(ConnectionID, address: String)
    /// One that has proved who it is.
    case controller(ControllerIdentifier)
}

extension LogPeer: CustomStringConvertible {
    /// What a line calls it.
    var description: String {
        switch self {
        case .stranger(let id, let address): "\(id) from \(address)"
        case .controller(let identifier): "controller \(identifier)"
        }
    }
}
