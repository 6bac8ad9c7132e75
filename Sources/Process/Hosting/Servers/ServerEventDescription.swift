package import AccessoryModel
internal import Discovery
package import HAPCore
package import HAPServer

/// The names that describe the events of a server.
package struct ServerEventNames: Sendable {
    /// The names of the characteristics, such as `Garage Door: Current Door State`.
    let characteristics: [CharacteristicID: String]
    /// The metadata of the characteristics, which describes values that their types do not define.
    let metadata: [CharacteristicID: CharacteristicMetadata]
    /// The names of the accessories.
    let accessories: [AccessoryID: String]

    /// Creates names; without one, an object is described by its id.
    package init(
        characteristics: [CharacteristicID: String] = [:],
        metadata: [CharacteristicID: CharacteristicMetadata] = [:],
        accessories: [AccessoryID: String] = [:]
    ) {
        self.characteristics = characteristics
        self.metadata = metadata
        self.accessories = accessories
    }

    /// Creates the names of accessories.
    ///
    /// - Parameter ids: The ids of their characteristics.
    package init(_ declared: [Accessory], _ ids: [CharacteristicKey: CharacteristicID]) {
        var characteristics: [CharacteristicID: String] = [:]
        var metadata: [CharacteristicID: CharacteristicMetadata] = [:]
        var accessories: [AccessoryID: String] = [:]
        for accessory in declared {
            for service in accessory.services {
                let given = service.characteristics.first { $0.type == .name }?.value?.string
                for characteristic in service.characteristics {
                    let key = CharacteristicKey(
                        accessory: accessory.key,
                        service: service.key,
                        type: characteristic.type
                    )
                    guard let id = ids[key] else { continue }
                    if service.key.type == .accessoryInformation { accessories[id.aid] = given }
                    let name = characteristic.description ?? characteristic.type.description
                    metadata[id] = characteristic.metadata
                    characteristics[id] = "\(given ?? service.key.type.description): \(name)"
                }
            }
        }
        self.init(characteristics: characteristics, metadata: metadata, accessories: accessories)
    }
}

/// The peer of a connection, as far as it is known.
package struct ConnectionPeer: Sendable, Hashable {
    package let connection: ConnectionID
    /// The address and the port.
    package let address: String
    /// The controller, once it is verified.
    package var controller: ControllerIdentifier?

    package init(_ connection: ConnectionID, address: String, controller: ControllerIdentifier? = nil) {
        self.connection = connection
        self.address = address
        self.controller = controller
    }
}

extension ConnectionPeer: CustomStringConvertible {
    /// The text for the peer in a line of the log.
    package var description: String {
        controller.map { "controller \($0.shortText)" } ?? "\(connection) from \(address)"
    }
}

extension ControllerIdentifier {
    /// The identifier in a line of the log: the first eight characters of a UUID, or all of any other text.
    package var shortText: String {
        let text = description
        return HAPUUID(text) != nil && text.utf8.count == 36 ? String(text.prefix(8)) : text
    }
}

/// A description of an event for the user of the server.
package struct ServerEventDescription {
    /// One line, or `nil` for events that are too frequent to print: requests, responses and event notifications.
    package let text: String?

    /// Describes an event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - names: The names of the server.
    ///   - peer: The peer of the connection in the event.
    package init(_ event: ServerEvent, _ names: ServerEventNames = ServerEventNames(), peer: ConnectionPeer?) {
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
                    names.characteristics[id] ?? "\(id) \(type)",
                    CharacteristicDescription(type, names.metadata[id]),
                    value,
                    Self.origin(origin, connection)
                )
            case .identifyRequested(let aid):
                "Identify: \(names.accessories[aid] ?? "accessory \(aid)") identifies itself."
            case .writeRefused(let id, let written, let status):
                "A write of \(names.characteristics[written] ?? written.description) by \(connection(id)) was refused: \(status)."
            case .handlerFailed(let id, let reason): Self.failure(names.characteristics[id] ?? id.description, reason)
            case .handlerSlow(let id): "\(names.characteristics[id] ?? id.description) has not answered yet."
            case .handlerTimedOut(let id):
                "\(names.characteristics[id] ?? id.description) did not answer in time (-70408)."
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
