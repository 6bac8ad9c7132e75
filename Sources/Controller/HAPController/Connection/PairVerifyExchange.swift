internal import HAPCore

/// Runs pair-verify on a connection, which is encrypted afterwards.
///
/// HAP: §7
enum PairVerifyExchange {
    /// Runs pair-verify, in which both sides prove their identity, and switches to encrypted frames.
    ///
    /// - Throws: ``ControllerError/Code/wrongAccessory`` if the device has another identifier or another long-term key
    ///   than the pairing; ``ControllerError/Code/unproven(_:)`` if the device refuses before it has proven its
    ///   identity; ``ControllerError/Code/refused(_:)`` if the accessory, after proving its identity, does not know
    ///   this controller.
    nonisolated(nonsending) static func run(
        on connection: AccessoryConnection,
        identity: ControllerIdentity,
        pairing: AccessoryPairing,
        within timeout: Duration
    ) async throws(ControllerError) {
        var machine = PairVerifyController(identity: identity, accessory: pairing)
        var action = machine.start(ephemeral: .random())
        // The response to M1 proves the accessory's identity; any device may refuse instead.
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
                reason: "The accessory at \(endpoint) no longer knows this controller.",
                remedy: "Remove the pairing here, and pair again."
            )
        case .invalid, .refused:
            ControllerError(failure, at: endpoint)
        }
    }
}
