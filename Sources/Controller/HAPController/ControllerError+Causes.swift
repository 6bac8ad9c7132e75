internal import AccessoryModel
internal import HAPCore

extension ControllerError {
    static let closed = ControllerError(
        .closed,
        reason: "The program has closed its connection to the accessory.",
        remedy: "Get the accessory from the controller again."
    )

    static let cancelled = ControllerError(
        .cancelled,
        reason: "The request was cancelled before the accessory answered.",
        remedy: "Send it again if you still need it."
    )

    static let overflow = ControllerError(
        .overflow,
        reason: "The program did not read the changes fast enough, so too many are waiting.",
        remedy: "Read them faster, or subscribe to fewer characteristics."
    )

    static func unreachable(_ endpoints: [AccessoryEndpoint], reason: String) -> ControllerError {
        ControllerError(
            .unreachable,
            reason: "No program accepts a connection at \(endpoints.map(\.description).joined(separator: ", ")): "
                + "\(reason).",
            remedy: "Check that the accessory is turned on and on this network."
        )
    }

    static func malformed(_ fault: ProtocolError, at endpoint: AccessoryEndpoint?) -> ControllerError {
        ControllerError(
            .malformed(fault),
            reason: "\(accessory(at: endpoint)) violates the protocol: \(fault).",
            remedy: "Restart the accessory, or update its firmware."
        )
    }

    static func wrongAccessory(at endpoint: AccessoryEndpoint, _ difference: String) -> ControllerError {
        ControllerError(
            .wrongAccessory,
            reason: "The device at \(endpoint) is not the accessory of the pairing: \(difference).",
            remedy:
                "If the accessory was reset, remove the pairing and pair again. If not, another device has its address."
        )
    }

    /// Returns the error for a device that refuses before it has proven its identity.
    static func unproven(_ error: PairingErrorCode, at endpoint: AccessoryEndpoint) -> ControllerError {
        ControllerError(
            error == .busy ? .busy : .unproven(error),
            reason: "The device at \(endpoint) refused before it proved that it is the accessory: \(error).",
            remedy: error == .busy
                ? "Wait half a minute and try again."
                : "If the accessory was reset, remove the pairing and pair again. If not, another device has its address."
        )
    }

    static func differentKey(than alias: String, at endpoint: AccessoryEndpoint) -> ControllerError {
        ControllerError(
            .wrongAccessory,
            reason: "The accessory at \(endpoint) has the device ID of \(alias), but another long-term key.",
            remedy:
                "If \(alias) was reset, remove its pairing first. If not, another device pretends to be the accessory."
        )
    }

    static func requestFailed(_ what: String, http: Int, _ status: HAPStatus? = nil) -> ControllerError {
        ControllerError(
            .requestFailed(http: http, status),
            reason: "The accessory answered \(what) with HTTP status \(http)\(status.map { ", \($0)" } ?? "").",
            remedy: "Check that the accessory supports the request."
        )
    }

    /// The HTTP status with which an accessory answers a request in a session that it does not know.
    ///
    /// HAP: §10
    static let unknownSessionStatus = 470

    /// Returns the error for an accessory that no longer knows a session, for example because it was restarted.
    static func unknownSession(at endpoint: AccessoryEndpoint?) -> ControllerError {
        ControllerError(
            .requestFailed(http: unknownSessionStatus, nil),
            reason: "\(accessory(at: endpoint)) no longer knows this session (HTTP status \(unknownSessionStatus)).",
            remedy: "Try again. If that does not help, restart the accessory."
        )
    }

    /// Whether the accessory does not know the session, and therefore has not executed the request.
    var meansUnknownSession: Bool {
        if case .requestFailed(http: Self.unknownSessionStatus, _) = code { true } else { false }
    }

    /// Returns the error for a session that has ended while no response was pending.
    static func sessionEnded(_ end: ControllerChannelError, at endpoint: AccessoryEndpoint?) -> ControllerError {
        var error = ControllerError(end, at: endpoint)
        switch end {
        case .peer: error.reason = "\(accessory(at: endpoint)) closed the connection."
        case .aborted(let reason): error.reason = reason
        case .protocolError, .network, .timeout, .local, .cancelled: break
        }
        return error
    }

    /// Converts the reason why a request has no response.
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
                reason: "\(accessory) can no longer be reached: \(reason).",
                remedy: "Try again. If that does not help, check the network."
            )
        case .timeout:
            self.init(
                .timedOut,
                reason: "\(accessory) did not answer"
                    + (timeout.map { " within \($0.durationText)" } ?? " in time") + ".",
                remedy: "Try again. If that does not help, restart the accessory."
            )
        case .protocolError(let fault):
            self = .malformed(fault, at: endpoint)
        case .aborted(let reason):
            self.init(
                .connectionLost,
                reason: "The session was closed before the response arrived. \(reason)",
                remedy: "Try again."
            )
        case .cancelled:
            self = .cancelled
        case .local:
            self = .closed
        }
    }

    /// Returns a phrase for the accessory, with its endpoint if that is known.
    private static func accessory(at endpoint: AccessoryEndpoint?) -> String {
        endpoint.map { "The accessory at \($0)" } ?? "The accessory"
    }

    /// Calls a store, and converts its errors.
    @discardableResult
    package nonisolated(nonsending) static func wrappingStoreErrors<Result>(
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

    /// Converts the reason why an exchange of pairing messages failed.
    init(_ failure: PairingFailure, at endpoint: AccessoryEndpoint?) {
        switch failure {
        case .invalid(let fault): self = .malformed(fault, at: endpoint)
        case .refused(.busy): self = .busy(at: endpoint)
        case .refused(let error):
            let (code, reason, remedy) = Self.refusal(error)
            self.init(code, reason: "\(Self.accessory(at: endpoint)) \(reason).", remedy: remedy)
        }
    }

    /// Returns the code, the reason without its subject, and the remedy.
    private static func refusal(_ error: PairingErrorCode) -> (code: Code, reason: String, remedy: String) {
        switch error {
        case .unavailable:
            (.alreadyPaired, "is already paired", "Remove it from its home, or reset it, and try again.")
        case .maxTries:
            (
                .tooManyTries, "has received too many wrong setup codes and accepts no more",
                "Reset the accessory and try again."
            )
        case .maxPeers:
            (.maxPeers, "has no room for another pairing", "Remove a pairing that is not needed.")
        case .backoff:
            (.refused(error), "accepts no requests for a while (Backoff)", "Wait a minute and try again.")
        case .unknown:
            (.refused(error), "failed without a reason (Unknown)", "Try again, or restart the accessory.")
        case .authentication, .busy:
            (
                .refused(error), "refused: \(error)",
                "Check that this controller is still paired with it, and as an admin."
            )
        }
    }

    static func notFound(_ reason: String) -> ControllerError {
        ControllerError(
            .notFound,
            reason: reason,
            remedy: "Use its address and port, or look which accessories are announced."
        )
    }

    static func aliasTaken(_ alias: String) -> ControllerError {
        ControllerError(
            .aliasTaken,
            reason: "Another accessory already has the alias \(alias).",
            remedy: "Choose another name, or remove that one."
        )
    }

    static func unknownAccessory(_ name: String, known: [String]) -> ControllerError {
        ControllerError(
            .unknownAccessory,
            reason: "No paired accessory has the alias \(name).",
            remedy: known.isEmpty
                ? "Pair with an accessory first." : "There are: \(known.joined(separator: ", "))."
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
