internal import AccessoryModel
internal import Discovery
package import HAPCore
internal import Logging

/// How an event appears in log, journal, JSON and terminal.
private struct ServerEventRecord {
    /// The name of the kind in the journal and in JSON, such as `write-refused`.
    let kind: String
    /// The level in the log.
    let level: Logger.Level
    /// The message in the log, which all events of a kind have.
    let title: String
    /// Whether the event has a sentence for users.
    ///
    /// Frequent and redundant events have none.
    let hasSentence: Bool
    /// The details, if they are needed.
    var fields: [ServerEventField] = []
    /// The sentence, if it is needed.
    var sentence: String?

    /// The parts to create.
    ///
    /// Events may occur with each request, so unused parts are skipped.
    enum Part {
        case kind
        /// The details, if the event is logged at this level.
        case fields(Logger.Level)
        case sentence(ServerEventNames, ConnectionPeer?)
    }
}

/// A typed detail of an event.
package enum ServerEventField: Sendable {
    case accessory(AccessoryID)
    case characteristic(CharacteristicID)
    /// The type of the characteristic.
    case type(CharacteristicType)
    /// The new value; `nil` for a press.
    case value(CharacteristicValue?)
    case origin(ChangeOrigin)
    case peer(String)
    case controller(ControllerIdentifier)
    case method(HTTPMethod)
    case path(String)
    /// The status of a response.
    case status(HTTPStatus)
    /// The status of a refused write.
    case hapStatus(HAPStatus)
    case count(Int)
    /// A detail that only the log shows, with its key.
    case other(String, String)

    /// The key and the value in the log.
    fileprivate var logged: (key: String, value: String) {
        switch self {
        case .accessory(let aid): ("accessory", "\(aid)")
        case .characteristic(let id): ("characteristic", id.description)
        case .type(let type): ("type", "\(type)")
        case .value(let value): ("value", value?.description ?? "none")
        case .origin(let origin): ("origin", origin.label)
        case .peer(let peer): ("peer", peer)
        case .controller(let controller): ("controller", controller.description)
        case .method(let method): ("method", "\(method)")
        case .path(let path): ("path", path)
        case .status(let status): ("status", "\(status.rawValue)")
        case .hapStatus(let status): ("status", "\(status.rawValue)")
        case .count(let count): ("count", "\(count)")
        case .other(let key, let value): (key, value)
        }
    }
}

extension ServerEvent {
    /// The name of the event's kind in the journal and in JSON, such as `write-refused`.
    package var kind: String { record(.kind).kind }

    /// Whether people read the event as a sentence.
    package var hasSentence: Bool { record(.kind).hasSentence }

    /// The details of the event.
    package var fields: [ServerEventField] { record(.fields(.trace)).fields }

    /// Returns the event in a sentence, or `nil` if it has none.
    ///
    /// Strings from peers and handlers are not sanitized.
    ///
    /// - Parameters:
    ///   - names: The names of the server.
    ///   - peer: The peer of the connection in the event.
    package func sentence(_ names: ServerEventNames, peer: ConnectionPeer?) -> String? {
        record(.sentence(names, peer)).sentence
    }

    /// Returns the message in the log with its metadata, or `nil` if the log does not have the event's level.
    ///
    /// Strings from peers and handlers are sanitized and truncated to 200 characters.
    func logEntry(from level: Logger.Level) -> (level: Logger.Level, title: String, metadata: Logger.Metadata)? {
        let record = record(.fields(level))
        guard level <= record.level else { return nil }
        var metadata = Logger.Metadata(minimumCapacity: record.fields.count + 3)
        for (key, value) in record.fields.lazy.map(\.logged) {
            metadata[key] = .string(String(value.escapingControlCharacters.prefix(200)))
        }
        if let connection { metadata["connection"] = .stringConvertible(connection.rawValue) }
        return (record.level, record.title, metadata)
    }

    private func record(_ part: ServerEventRecord.Part) -> ServerEventRecord {
        // Used by sentences only.
        var names: ServerEventNames {
            if case .sentence(let given, _) = part { given } else { ServerEventNames() }
        }
        var connection: String {
            guard case .sentence(_, let peer) = part else { return "" }
            return peer?.description ?? self.connection?.description ?? ""
        }
        func event(
            _ kind: String,
            _ level: Logger.Level,
            _ title: String,
            _ fields: @autoclosure () -> [ServerEventField],
            hasSentence: Bool = true,
            _ sentence: () -> String
        ) -> ServerEventRecord {
            var record = ServerEventRecord(kind: kind, level: level, title: title, hasSentence: hasSentence)
            switch part {
            case .kind: break
            case .fields(let least): if least <= level { record.fields = fields() }
            case .sentence: if hasSentence { record.sentence = sentence() }
            }
            return record
        }
        func silent(
            _ kind: String,
            _ level: Logger.Level,
            _ title: String,
            _ fields: @autoclosure () -> [ServerEventField]
        ) -> ServerEventRecord {
            event(kind, level, title, fields(), hasSentence: false) { "" }
        }
        switch self {
        case .connectionOpened(_, let peer):
            return silent("connection-opened", .debug, "Connection opened", [.peer(peer)])
        case .connectionClosed(_, let reason):
            let ending = reason.ending
            return event(
                "connection-closed",
                .debug,
                "Connection closed",
                reason.fields,
                hasSentence: ending != nil
            ) { "Connection \(connection) \(ending ?? "closed")." }
        case .sessionVerified(let id, let controller):
            return event("session-verified", .info, "Session verified", [.controller(controller)]) {
                "Controller \(controller.shortText) opened a session on connection \(id)."
            }
        case .requestReceived(_, let method, let path):
            return silent("request", .trace, "Request received", [.method(method), .path(path)])
        case .responseSent(_, let status): return silent("response", .trace, "Response sent", [.status(status)])
        case .protocolViolation(_, let error):
            return event(
                "protocol-violation",
                .warning,
                "Peer violated the protocol",
                [.other("reason", error.description)]
            ) {
                "Connection \(connection) sent invalid data: \(error)."
            }
        case .valueChanged(let id, let type, let value, let origin):
            return event(
                "value",
                .debug,
                "Value changed",
                [.characteristic(id), .type(type), .value(value), .origin(origin)]
            ) {
                let words = CharacteristicDescription(type, names.metadata[id])
                let name = names.characteristics[id] ?? "\(id) \(type)"
                return "\(name): \(value.map(words.text) ?? "pressed")\(origin.text(connection))"
            }
        case .identifyRequested(let aid):
            return event("identify", .info, "Identify requested", [.accessory(aid)]) {
                "Identify: \(names.accessories[aid] ?? "accessory \(aid)") identifies itself."
            }
        case .characteristicUsed(_, let use, let id):
            return silent(
                "characteristic-used",
                .trace,
                "Characteristic used",
                [.characteristic(id), .other("use", "\(use)")]
            )
        case .characteristicNotified(_, let id, let value):
            return silent(
                "characteristic-notified",
                .trace,
                "Characteristic in an event",
                [.characteristic(id), .value(value)]
            )
        case .eventSent(_, let count): return silent("event-sent", .trace, "Event sent", [.count(count)])
        case .eventCoalesced(_, let id):
            return silent("event-coalesced", .trace, "Event delayed", [.characteristic(id)])
        case .writeRefused(_, let id, let status):
            return event("write-refused", .info, "Write refused", [.characteristic(id), .hapStatus(status)]) {
                "A write of \(names.name(of: id)) by \(connection) was refused: \(status)."
            }
        case .handlerFailed(let id, let reason):
            return event("handler-failed", .warning, "Handler failed", [.characteristic(id), .other("reason", reason)])
            {
                let text = reason.prefix(200)
                return "\(names.name(of: id)) failed: \(text)\(text.hasSuffix(".") ? "" : ".")"
            }
        case .handlerSlow(let id):
            return event("handler-slow", .warning, "Handler is slow", [.characteristic(id)]) {
                "\(names.name(of: id)) has not answered yet."
            }
        case .handlerTimedOut(let id):
            return event("handler-timed-out", .warning, "Handler timed out", [.characteristic(id)]) {
                "\(names.name(of: id)) did not answer in time (-70408)."
            }
        case .driverEvent(let aid, let driver):
            let fields = [ServerEventField.accessory(aid), .other("event", driver.name)]
            return event(
                "driver-event",
                driver.isWarning ? .warning : .info,
                "Driver event",
                fields + driver.details.sorted { $0.key < $1.key }.map { .other($0.key, $0.value) }
            ) {
                driver.sentence(names.accessories[aid] ?? "accessory \(aid)")
            }
        case .pairingAdded(let id, let isAdmin):
            return event("pairing-added", .notice, "Pairing added", [.controller(id), .other("admin", "\(isAdmin)")]) {
                "Paired with controller \(id.shortText)\(isAdmin ? " (admin)" : "")."
            }
        case .pairingRemoved(let id):
            return event("pairing-removed", .notice, "Pairing removed", [.controller(id)]) {
                "Controller \(id.shortText) is no longer paired."
            }
        case .pairSetupStarted: return silent("pair-setup-started", .debug, "Pair-setup started", [])
        case .pairSetupRefused(_, let error, let failedProofs):
            return event(
                "pair-setup-refused",
                .warning,
                "Pair-setup refused",
                [.other("reason", error.description), .other("failedProofs", "\(failedProofs)")]
            ) {
                "Connection \(connection): pairing was refused: \(error.refusal(failedProofs))."
            }
        case .pairVerifyRefused(_, let error):
            return event("pair-verify-refused", .warning, "Pair-verify refused", [.other("reason", error.description)])
            {
                "Connection \(connection): the controller is not paired with this accessory (\(error)); "
                    + "remove the accessory in the controller's app, and pair again."
            }
        case .advertiserChanged(let state):
            guard case .unavailable(let error, _) = state else {
                return event("advertiser", .info, "Advertisement changed", [.other("state", state.description)]) {
                    "Network: \(state)."
                }
            }
            return event("advertiser", .warning, "Advertisement changed", [.other("state", state.description)]) {
                "Network: not advertised. \(error)\(error.endsWithDaemon ? " Advertising then begins by itself." : "")"
            }
        case .storeWritten(let kind, let duration):
            return silent(
                "store-written",
                .trace,
                "Stored",
                [.other("record", kind.rawValue), .other("duration", "\(duration)")]
            )
        case .storeFailed(let error):
            return event("store-failed", .error, "Store failed", [.other("reason", error.description)]) {
                "Not saved: \(error)"
            }
        case .configurationChanged(let number):
            return event("configuration", .info, "Structure changed", [.other("configurationNumber", "\(number)")]) {
                "The structure has changed: configuration number \(number)."
            }
        case .listeningFailed(let reason):
            return event("listening-failed", .warning, "Cannot listen", [.other("reason", reason)]) {
                "Not listening: \(reason) The server tries again each second."
            }
        case .listeningResumed:
            return event("listening-resumed", .info, "Listening again", []) { "Listening again." }
        case .behaviorTimeChanged(let time, let scale):
            let seconds = MonotonicInstant.zero.duration(to: time) / .seconds(1)
            return silent(
                "behavior-time",
                .trace,
                "Time of the behaviors changed",
                [.other("seconds", "\(seconds)"), .other("scale", "\(scale)")]
            )
        // Only `faultApplied` has the name of the fault, so it reports this case, too.
        case .faultInjected(let point, let decision):
            return silent(
                "fault-injected",
                .debug,
                "Fault injected",
                [.other("point", point.description), .other("decision", "\(decision)")]
            )
        case .faultApplied(let name, let target):
            return event("fault-applied", .info, "Fault applied", [.other("fault", name), .other("subject", target)]) {
                "Fault \(name) was applied to \(target)."
            }
        case .faultFinished(let name):
            return event("fault-ended", .info, "Fault ended", [.other("fault", name)]) {
                "Fault \(name) has ended."
            }
        }
    }
}

extension ServerEventNames {
    fileprivate func name(of id: CharacteristicID) -> String { characteristics[id] ?? id.description }
}

extension ChangeOrigin {
    /// A suffix for the origin of a change, such as " (by hap)".
    fileprivate func text(_ connection: String) -> String {
        switch self {
        case .controller: " (by \(connection))"
        case .program: " (by hap)"
        case .device: ""
        }
    }
}

extension CloseReason {
    fileprivate var fields: [ServerEventField] {
        switch self {
        case .protocolViolation(let error): [.other("reason", label), .other("error", error.description)]
        case .network(let text): [.other("reason", label), .other("error", text)]
        default: [.other("reason", label)]
        }
    }

    /// The reason, as a predicate for the connection; `nil` for ordinary reasons.
    fileprivate var ending: String? {
        switch self {
        case .peer, .stopping, .protocolViolation, .timeLimit: nil
        case .network(let text): "was lost: \(text)"
        case .pairingRemoved: "closed: its pairing was removed"
        case .limit: "closed: too many connections"
        case .faultInjection: "closed by an injected fault"
        }
    }
}

extension PairingErrorCode {
    fileprivate func refusal(_ failedProofs: Int) -> String {
        switch self {
        case .authentication: "wrong setup code (\(failedProofs) of \(PairingTable.maximumFailedProofs) tries used)"
        case .maxTries: "too many wrong setup codes"
        case .unavailable: "already paired; remove the accessory there"
        case .busy: "another controller is pairing"
        case .unknown, .backoff, .maxPeers: description
        }
    }
}
