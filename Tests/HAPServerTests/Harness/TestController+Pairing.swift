import HAPCore
import TestSupport

extension TestController {
    /// Posts a pairing message and returns the body of the answer, which must be 200.
    func exchange(_ message: [UInt8], at endpoint: HAPEndpoint) async throws -> [UInt8] {
        let answer = try await request(HTTPRequest(.post, endpoint, body: message))
        guard answer.status == 200 else { throw TestFailure("\(endpoint) was answered with \(answer.status)") }
        return answer.body
    }

    /// Pairs, up to M6.
    ///
    /// - Throws: `PairingFailure` when the accessory refuses.
    func pair(
        as controller: ControllerIdentity = Fixture.controller,
        code: SetupCode = Fixture.setupCode,
        beforeM3: () async throws -> Void = {},
        beforeM5: () async throws -> Void = {}
    ) async throws -> AccessoryPairing {
        var machine = PairSetupController(identity: controller, code: code)
        var action = machine.start()
        var messages = 0
        while true {
            switch action {
            case .send(let message):
                messages += 1
                switch messages {
                case 2: try await beforeM3()
                case 3: try await beforeM5()
                default: break
                }
                action = machine.receive(try await exchange(message, at: .pairSetup))
            case .compute(let computation):
                action = machine.computed(computation.run())
            case .finished(let pairing):
                return pairing
            case .failed(let failure):
                throw failure
            }
        }
    }

    /// Posts pair-setup's M1 and returns what M2 says: an error, or `nil`.
    func startPairing() async throws -> PairingError? {
        let message = PairingMessages.message((.state, [1]), (.method, [0]))
        return Self.error(of: try await exchange(message, at: .pairSetup))
    }

    /// Proves who it is, and goes over to frames.
    ///
    /// - Throws: `PairingFailure` when the accessory refuses.
    func verify(
        as controller: ControllerIdentity = Fixture.controller,
        of accessory: AccessoryPairing = Fixture.accessoryPairing
    ) async throws {
        var machine = PairVerifyController(identity: controller, accessory: accessory)
        var action = machine.start(ephemeral: .random())
        while true {
            switch action {
            case .send(let message):
                action = machine.receive(try await exchange(message, at: .pairVerify))
            case .finished(let keys):
                secure(with: keys)
                return
            case .failed(let failure):
                throw failure
            }
        }
    }

    /// Posts a request about pairings and returns the error that it is answered with, `nil` when it was carried out.
    func managePairings(_ message: [UInt8]) async throws -> PairingError? {
        Self.error(of: try await exchange(message, at: .pairings))
    }

    static func error(of message: [UInt8]) -> PairingError? {
        PairingMessages.value(.error, of: message)?.first.flatMap(PairingError.init)
    }
}
