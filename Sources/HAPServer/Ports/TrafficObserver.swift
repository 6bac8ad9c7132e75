public import AccessoryModel
public import HAPCore

/// Receives the decrypted messages of a server's connections, for a trace.
///
/// Called on the server's event loop, in the order of the messages: it must return quickly, and do slow work elsewhere.
package protocol TrafficObserver: Sendable {
    /// Whether messages are wanted now; otherwise they are not even composed.
    var isObserving: Bool { get }

    /// Receives a message.
    ///
    /// - Parameter controller: The verified controller; `nil` before pair-verify.
    func observe(_ message: TrafficMessage, on connection: ConnectionID, of controller: ControllerIdentifier?)
}

/// A decrypted message of a connection.
package enum TrafficMessage: Sendable {
    /// A complete request of the controller.
    case request(HTTPRequest)
    /// The response of the server, before faults change it.
    case response(HTTPResponse)
    /// The body of an event message.
    case event(body: [UInt8])
    /// The connection has closed.
    case closed
}
