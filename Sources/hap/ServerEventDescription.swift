import AccessoryModel
import Discovery
import HAPCore
import HAPServer
import Hosting

/// A description of an event for the user of the server.
struct ServerEventDescription {
    /// One line, or `nil` for events that are too frequent to print: requests, responses and event notifications.
    let text: String?

    /// Describes an event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - names: The names of the characteristics.
    ///   - metadata: The metadata of the characteristics, which describes values that their types do not define.
    ///   - accessories: The names of the accessories.
    ///   - peer: The peer of the connection in the event.
    init(
        _ event: ServerEvent,
        names: [CharacteristicID: String],
        metadata: [CharacteristicID: CharacteristicMetadata] = [:],
        accessories: [AccessoryID: String] = [:],
        peer: LogPeer?
    ) {
        func connection(_ id: ConnectionID) -> String {
            peer?.description ?? id.description
        }
        text =
            switch event {
            // An injected fault is reported by `.faultApplied`, which has the name of the fault.
            case .connectionOpened, .requestReceived, .responseSent, .eventSent, .eventCoalesced, .characteristicUsed,
                .characteristicNotified, .behaviorTimeChanged, .faultInjected, .pairSetupStarted, .storeWritten:
                nil
            case .connectionClosed(let id, let reason): Self.closing(connection(id), reason)
            case .sessionVerified(let id, let controller):
                "Controller \(controller.shortText) opened a session on connection \(id)."
            case .protocolViolation(let id, let error):
                "Connection \(connection(id)) sent invalid data: \(error)."
            case .valueChanged(let id, let type, let value, let origin):
                Self.change(
                    names[id] ?? "\(id) \(type)",
                    CharacteristicDescription(type, metadata[id]),
                    value,
                    Self.origin(origin, connection)
                )
            case .identifyRequested(let aid): "Identify: \(accessories[aid] ?? "accessory \(aid)") identifies itself."
            case .writeRefused(let id, let written, let status):
                "A write of \(names[written] ?? written.description) by \(connection(id)) was refused: \(status)."
            case .handlerFailed(let id, let reason): Self.failure(names[id] ?? id.description, reason)
            case .handlerSlow(let id): "\(names[id] ?? id.description) has not answered yet."
            case .handlerTimedOut(let id): "\(names[id] ?? id.description) did not answer in time (-70408)."
            case .pairingAdded(let id, let isAdmin):
                "Paired with controller \(id.shortText)\(isAdmin ? " (admin)" : "")."
            case .pairingRemoved(let id): "Controller \(id.shortText) is no longer paired."
            case .pairSetupRefused(let id, let error, let failedProofs):
                "Connection \(connection(id)): pairing was refused: \(Self.refusal(error, failedProofs))."
            case .pairVerifyRefused(let id, let error):
                "Connection \(connection(id)): the controller is not paired with this accessory (\(error)); "
                    + "remove the accessory in the controller's app, and pair again."
            case .advertiserChanged(.unavailable(let error, _)):
                "Network: not advertised. \(error)\(error.endsWithDaemon ? " Advertising then begins by itself." : "")"
            case .advertiserChanged(let state): "Network: \(state)."
            case .storeFailed(let error): "Not saved: \(error)"
            case .configurationChanged(let number): "The structure has changed: configuration number \(number)."
            case .listeningFailed(let reason): "Not listening: \(reason) The server tries again each second."
            case .listeningResumed: "Listening again."
            case .faultApplied(let name, let place): "Fault \(name) was applied to \(place)."
            case .faultFinished(let name): "Fault \(name) has ended."
            }
    }

    /// Returns a line about a failed handler.
    ///
    /// - Parameters:
    ///   - name: The name of the characteristic.
    ///   - reason: The description of the error, of any length, with or without a full stop.
    private static func failure(_ name: String, _ reason: String) -> String {
        let text = reason.printable.prefix(200)
        return "\(name) failed: \(text)\(text.hasSuffix(".") ? "" : ".")"
    }

    private static func closing(_ connection: String, _ reason: CloseReason) -> String? {
        switch reason {
        case .peer, .stopping, .protocolViolation, .timeLimit: nil
        case .network(let text): "Connection \(connection) was lost: \(text)."
        case .pairingRemoved: "Session \(connection) closed: its pairing was removed."
        case .limit: "Connection \(connection) closed: too many connections."
        case .faultInjection: "Connection \(connection) closed by an injected fault."
        }
    }

    private static func change(
        _ name: String,
        _ words: CharacteristicDescription,
        _ value: CharacteristicValue?,
        _ origin: String
    ) -> String {
        "\(name): \(value.map(words.text) ?? "pressed")\(origin)"
    }

    private static func origin(_ origin: ChangeOrigin, _ connection: (ConnectionID) -> String) -> String {
        switch origin {
        case .controller(let id): " (by \(connection(id)))"
        case .program: " (by hap)"
        case .device: ""
        }
    }

    private static func refusal(_ error: PairingErrorCode, _ failedProofs: Int) -> String {
        switch error {
        case .authentication: "wrong setup code (\(failedProofs) of \(PairingTable.maximumFailedProofs) tries used)"
        case .maxTries: "too many wrong setup codes; 'hap reset' allows new tries"
        case .unavailable: "already paired; remove the accessory there, or run 'hap reset --pairings'"
        case .busy: "another controller is pairing"
        case .unknown, .backoff, .maxPeers: error.description
        }
    }
}
