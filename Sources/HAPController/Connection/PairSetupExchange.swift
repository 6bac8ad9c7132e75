internal import HAPCore

/// Runs pair-setup over a connection.
///
/// HAP: §6
enum PairSetupExchange {
    /// Pairs, up to M6: then the accessory has kept the pairing.
    ///
    /// Begins on the caller's behalf and goes on elsewhere: the exponentiations take milliseconds.
    ///
    /// - Throws: ``ControllerError/Code/wrongCode`` when the accessory does not take the proof; the caller counts.
    static func run(
        on connection: AccessoryConnection,
        identity: ControllerIdentity,
        code: SetupCode,
        within patience: Duration,
        onProgress: @Sendable (PairingProgress) -> Void
    ) async throws(ControllerError) -> AccessoryPairing {
        var machine = PairSetupController(identity: identity, code: code)
        var action = machine.start()
        var message = -1
        while true {
            switch action {
            case .send(let body):
                message += 2
                onProgress(.exchangingKeys(message: message))
                action = machine.receive(try await answer(to: body, on: connection, within: patience))
            case .compute(let computation):
                action = machine.computed(computation.run())
            case .finished(let pairing):
                return pairing
            case .failed(.refused(.authentication)) where message == 3:
                throw ControllerError(
                    .wrongCode,
                    reason: "The setup code is not accepted.",
                    remedy: "Check the code on the accessory or its packaging."
                )
            case .failed(let failure):
                throw ControllerError(failure, at: connection.place)
            }
        }
    }

    private static func answer(
        to body: [UInt8],
        on connection: AccessoryConnection,
        within patience: Duration
    ) async throws(ControllerError) -> [UInt8] {
        let request = HTTPRequest(.post, .pairSetup, body: body)
        let answer = try await connection.request(request, within: patience)
        switch answer.status {
        case 200: return answer.body
        // Reserved for this, if not used by Apple's own code.
        case 429: throw .busy(at: connection.place)
        default: throw .requestFailed("pair-setup", http: answer.status)
        }
    }
}
