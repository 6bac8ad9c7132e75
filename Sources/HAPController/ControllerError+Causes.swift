internal import AccessoryModel
internal import HAPCore
internal import HAPTransport

extension ControllerError {
    static let closed = ControllerError(
        .closed,
        reason: "The accessory was closed in this program.",
        remedy: "Ask the controller for it again."
    )

    static let cancelled = ControllerError(
        .cancelled,
        reason: "It was given up before the accessory had answered.",
        remedy: "Ask again if it is still wanted."
    )

    static let overflow = ControllerError(
        .overflow,
        reason: "The changes that wait to be taken have grown too large.",
        remedy: "Take them faster, or watch less."
    )

    static func unreachable(_ endpoints: [AccessoryEndpoint], reason: String) -> ControllerError {
        ControllerError(
            .unreachable,
            reason: "Nobody takes a connection at \(endpoints.map(\.description).joined(separator: ", ")): \(reason).",
            remedy: "Check that the accessory is switched on and in this network."
        )
    }

    static func malformed(_ fault: ProtocolError, at endpoint: AccessoryEndpoint?) -> ControllerError {
        ControllerError(
            .malformed(fault),
            reason: "\(accessory(at: endpoint)) breaks the protocol: \(fault).",
            remedy: "Restart it or update its firmware."
        )
    }

    static func wrongAccessory(at endpoint: AccessoryEndpoint, _ difference: String) -> ControllerError {
        ControllerError(
            .wrongAccessory,
            reason: "Who answers at \(endpoint) is not the accessory of the pairing: \(difference).",
            remedy:
                "If it was reset, forget the pairing with `hap unpair ALIAS --force` and pair again; if not, somebody else is in its place."
        )
    }

    /// A device refuses before it has proven its identity.
    static func unproven(_ error: PairingErrorCode, at endpoint: AccessoryEndpoint) -> ControllerError {
        ControllerError(
            error == .busy ? .busy : .unproven(error),
            reason: "Who answers at \(endpoint) refused before it had shown that it is the accessory: \(error).",
            remedy: error == .busy
                ? "Wait half a minute and try again."
                : "If it was reset, forget the pairing with `hap unpair ALIAS --force` and pair again; if not, somebody else is in its place."
        )
    }

    static func differentKey(than alias: String, at endpoint: AccessoryEndpoint) -> ControllerError {
        ControllerError(
            .wrongAccessory,
            reason: "The accessory at \(endpoint) calls itself as \(alias) does, and has another long-term key.",
            remedy:
                "If \(alias) was reset, forget its pairing first with `hap unpair \(alias) --force`; if not, somebody poses as it."
        )
    }

    static func requestFailed(_ what: String, http: Int, _ status: HAPStatus? = nil) -> ControllerError {
        ControllerError(
            .requestFailed(http: http, status),
            reason: "The accessory answered \(what) with HTTP status \(http)\(status.map { ", \($0)" } ?? "").",
            remedy: "Check that the accessory knows what was asked of it."
        )
    }

    /// Converts the reason for which a request has no response.
    init(_ end: ControllerChannelError, at endpoint: AccessoryEndpoint?, within timeout: Duration? = nil) {
        let accessory = Self.accessory(at: endpoint)
        switch end {
        case .peer:
            self.init(
                .connectionLost,
                reason: "\(accessory) closed the connection before it answered.",
                remedy: "Try again."
            )
        case .network(let reason):
            self.init(
                .connectionLost,
                reason: "\(accessory) cannot be reached any more: \(reason).",
                remedy: "Try again, and check the network if that does not help."
            )
        case .timeout:
            self.init(
                .timedOut,
                reason: "\(accessory) did not answer"
                    + (timeout.map { " within \($0.durationText)" } ?? " in time") + ".",
                remedy: "Try again, and restart the accessory if that does not help."
            )
        case .protocolError(let fault):
            self = .malformed(fault, at: endpoint)
        case .aborted(let reason):
            self.init(
                .connectionLost,
                reason: "The session was given up before the answer came. \(reason)",
                remedy: "Try again."
            )
        case .cancelled:
            self = .cancelled
        case .local:
            self = .closed
        }
    }

    /// The accessory for a sentence, with where it is when that is known.
    private static func accessory(at endpoint: AccessoryEndpoint?) -> String {
        endpoint.map { "The accessory at \($0)" } ?? "The accessory"
    }

    /// Does some work with a store.
    @discardableResult
    nonisolated(nonsending) static func wrappingStoreErrors<Result>(
        _ work: () async throws(StoreError) -> Result
    ) async throws(ControllerError) -> Result {
        do throws(StoreError) {
            return try await work()
        } catch {
            throw ControllerError(error)
        }
    }

    /// Converts an error of a store.
    init(_ error: StoreError) {
        self.init(.store(error.code), reason: error.reason, remedy: error.remedy)
    }

    /// Converts the reason for which an exchange of pairing messages failed.
    init(_ failure: PairingFailure, at endpoint: AccessoryEndpoint?) {
        let accessory = Self.accessory(at: endpoint)
        switch failure {
        case .invalid(let fault):
            self = .malformed(fault, at: endpoint)
        case .refused(.unavailable):
            self.init(
                .alreadyPaired,
                reason: "\(accessory) is paired already.",
                remedy: "Remove it from the home it is in, or reset it, and try again."
            )
        case .refused(.busy):
            self = .busy(at: endpoint)
        case .refused(.maxTries):
            self.init(
                .tooManyTries,
                reason: "\(accessory) has had too many wrong setup codes and takes no more.",
                remedy: "Reset the accessory and try again."
            )
        case .refused(.maxPeers):
            self.init(
                .maxPeers,
                reason: "\(accessory) has no room for another pairing.",
                remedy: "Remove a pairing that is not needed."
            )
        case .refused(.backoff):
            self.init(
                .refused(.backoff),
                reason: "\(accessory) wants to be left alone for a while: Backoff.",
                remedy: "Wait a minute and try again."
            )
        case .refused(.unknown):
            self.init(
                .refused(.unknown),
                reason: "\(accessory) could not do it, and does not say why: Unknown.",
                remedy: "Try again, or restart the accessory."
            )
        case .refused(let error):
            self.init(
                .refused(error),
                reason: "\(accessory) refused: \(error).",
                remedy: "Check that this controller is still paired with it, and as an admin."
            )
        }
    }

    static func notFound(_ reason: String) -> ControllerError {
        ControllerError(.notFound, reason: reason, remedy: "Give its address and port, or look what is announced.")
    }

    static func aliasTaken(_ alias: String) -> ControllerError {
        ControllerError(
            .aliasTaken,
            reason: "Another accessory is kept as \(alias).",
            remedy: "Choose another name, or forget that one with `hap unpair \(alias)`."
        )
    }

    static func unknownAccessory(_ name: String, known: [String]) -> ControllerError {
        ControllerError(
            .unknownAccessory,
            reason: "No accessory is kept as \(name).",
            remedy: known.isEmpty
                ? "Pair with one first." : "There are: \(known.joined(separator: ", "))."
        )
    }

    static func busy(at endpoint: AccessoryEndpoint?) -> ControllerError {
        ControllerError(
            .busy,
            reason: "\(accessory(at: endpoint)) is busy: another controller is pairing with it.",
            remedy: "Wait half a minute and try again."
        )
    }
}
