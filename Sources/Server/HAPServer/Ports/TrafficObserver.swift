internal import AccessoryModel
internal import HAPCore
internal import Synchronization

/// Receives the decrypted messages of a server's connections, for a trace.
///
/// Called on the server's event loop, in the order of the messages: it must return quickly, and do slow work elsewhere.
package protocol TrafficObserver: Sendable {
    /// The switch that is on while messages are wanted. It belongs to the observer for its whole life.
    var isWanted: TrafficSwitch { get }

    /// Receives a message.
    ///
    /// - Parameter controller: The verified controller; `nil` before pair-verify.
    func observe(_ message: TrafficMessage, on connection: ConnectionID, of controller: ControllerIdentifier?)
}

/// A switch that a server reads before it composes a message for an observer, because most of the time none is wanted.
package final class TrafficSwitch: Sendable {
    private let state: Atomic<Bool>

    package init(_ isOn: Bool) {
        state = Atomic(isOn)
    }

    package var isOn: Bool { state.load(ordering: .relaxed) }

    package func set(_ isOn: Bool) {
        state.store(isOn, ordering: .relaxed)
    }
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
