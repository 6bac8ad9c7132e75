internal import AsyncPrimitives
internal import HAPCore

/// Runs pair-setup over a connection.
///
/// HAP: §6
enum PairSetupExchange {
    /// Runs pair-setup up to M6, after which the accessory has stored the pairing.
    ///
    /// It runs outside the event loop, because the exponentiations take milliseconds.
    ///
    /// - Parameter decision: Becomes `committed` when M5 is sent. From then on, the accessory may have stored the
    ///   pairing.
    /// - Throws: ``ControllerError/Code/wrongCode`` if the accessory refuses the proof; the caller counts the wrong
    ///   codes.
    static func run(
        on connection: AccessoryConnection,
        identity: ControllerIdentity,
        code: SetupCode,
        within timeout: Duration,
        deciding decision: OneShot<PairingDecision>,
        onProgress: @Sendable (PairingProgress) -> Void
    ) async throws(ControllerError) -> AccessoryPairing {
        var machine = PairSetupController(identity: identity, code: code)
        var action = machine.start()
        var sent: Int?
        while true {
            switch action {
            case .send(let body):
                let message = machine.pendingMessageNumber
                if message == 5, decision.set(.committed) == .abandoned {
                    throw .pairingAbandoned
                }
                sent = message
                if let message { onProgress(.exchangingKeys(message: message)) }
                do throws(ControllerError) {
                    action = machine.receive(try await response(to: body, on: connection, within: timeout))
                } catch {
                    throw message == 5 ? error.withUncertainPairing : error
                }
            case .compute(let computation):
                action = machine.didCompute(computation.run())
            case .finished(let pairing):
                return pairing
            case .failed(.refused(.authentication)) where sent == 3:
                throw .wrongCode(tries: nil)
            case .failed(.invalid(let fault)) where sent == 5:
                throw ControllerError.malformed(fault, at: connection.endpoint).withUncertainPairing
            case .failed(let failure):
                throw ControllerError(failure, at: connection.endpoint)
            }
        }
    }

    private static func response(
        to body: [UInt8],
        on connection: AccessoryConnection,
        within timeout: Duration
    ) async throws(ControllerError) -> [UInt8] {
        let request = HTTPRequest(.post, .pairSetup, body: body)
        let response = try await connection.request(request, within: timeout)
        switch response.status {
        case 200: return response.body
        // The protocol reserves 429 for a busy accessory, although Apple's own code does not send it.
        case 429: throw .busy(at: connection.endpoint)
        default: throw .requestFailed("pair-setup", http: response.status)
        }
    }
}

/// The decision whether a pairing is completed or canceled; only the first decision counts.
enum PairingDecision: Sendable {
    /// The caller gave up before the accessory could have stored the pairing.
    case abandoned
    /// The accessory may have stored the pairing, so the controller must complete it.
    case committed
}

extension ControllerIdentifier {
    /// Returns a random identifier: an upper-case UUID of version 4.
    static func random() -> ControllerIdentifier {
        var generator = SystemRandomNumberGenerator()
        let high = UInt64.random(in: .min ... .max, using: &generator) & ~0xF000 | 0x4000
        let low = UInt64.random(in: .min ... .max, using: &generator) & ~(0b11 << 62) | 0b10 << 62
        let digits = Array((high.paddedHexadecimal + low.paddedHexadecimal).uppercased())
        let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
        let text = groups.map { String(digits[$0]) }.joined(separator: "-")
        guard let identifier = ControllerIdentifier(text) else { preconditionFailure("a UUID has 36 characters") }
        return identifier
    }
}
