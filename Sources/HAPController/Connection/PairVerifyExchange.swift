internal import HAPCore

/// Runs pair-verify over a connection, which is secured then.
///
/// HAP: §7
enum PairVerifyExchange {
    /// Proves to each other who both are, and goes over to frames.
    ///
    /// - Throws: ``ControllerError/Code/wrongAccessory`` when who answers has another identifier or another long-term
    ///   key than the pairing; ``ControllerError/Code/unproven(_:)`` when who answers refuses before it has shown which
    ///   ones it has; ``ControllerError/Code/refused(_:)`` when
    ///   the accessory, having shown that it is the one, does not know this controller.
    nonisolated(nonsending) static func run(
        on connection: AccessoryConnection,
        identity: ControllerIdentity,
        pairing: AccessoryPairing,
        within timeout: Duration
    ) async throws(ControllerError) {
        var machine = PairVerifyController(identity: identity, accessory: pairing)
        var action = machine.start(ephemeral: .random())
        // Its answer to M1 shows who the accessory is; anybody may refuse instead.
        var isProven = false
        var message = 1
        while true {
            switch action {
            case .send(let body):
                let request = HTTPRequest(.post, .pairVerify, body: body)
                let response = try await connection.request(request, within: timeout)
                guard response.status == 200 else { throw .requestFailed("pair-verify", http: response.status) }
                action = machine.receive(response.body)
                isProven = message > 1
                message += 2
            case .finished(let keys):
                connection.secure(with: keys)
                return
            case .failed(let failure):
                throw error(failure, isProven: isProven, at: connection.endpoint)
            }
        }
    }

    private static func error(
        _ failure: PairingFailure,
        isProven: Bool,
        at endpoint: AccessoryEndpoint
    ) -> ControllerError {
        switch failure {
        case .refused(let error) where !isProven:
            .unproven(error, at: endpoint)
        case .invalid(PairVerifyController.identifierMismatch):
            .wrongAccessory(at: endpoint, "it has another device ID")
        case .invalid(PairVerifyController.signatureMismatch):
            .wrongAccessory(at: endpoint, "it has another long-term key")
        case .refused(.authentication):
            ControllerError(
                .refused(.authentication),
                reason: "The accessory at \(endpoint) does not know this controller any more.",
                remedy: "Forget the pairing here, and pair again."
            )
        case .invalid, .refused:
            ControllerError(failure, at: endpoint)
        }
    }
}
