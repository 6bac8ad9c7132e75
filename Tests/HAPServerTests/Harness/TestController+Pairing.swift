import HAPCore
import TestSupport

extension TestController {
    /// Posts a pairing message, and returns the body of the response, whose status must be 200.
    func exchange(_ message: [UInt8], at endpoint: HAPEndpoint) async throws -> [UInt8] {
        let response = try await request(HTTPRequest(.post, endpoint, body: message))
        guard response.status == 200 else { throw TestFailure("\(endpoint) was answered with \(response.status)") }
        return response.body
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
        var step = PairingStep.setUp(as: controller, code: code)
        var number = 1
        while true {
            switch step {
            case .post(let message, let next):
                if number == 3 { try await beforeM3() }
                if number == 5 { try await beforeM5() }
                step = try next(try await exchange(message, at: .pairSetup))
                number += 2
            case .finished(let pairing):
                return pairing
            }
        }
    }

    /// Posts M1 of pair-setup, and returns the error in M2, or `nil`.
    func startPairing() async throws -> PairingErrorCode? {
        let message = PairingMessages.message((.state, [1]), (.method, [0]))
        return PairingMessages.error(of: try await exchange(message, at: .pairSetup))
    }

    /// Runs pair-verify; afterwards the session uses encrypted frames.
    ///
    /// - Throws: `PairingFailure` when the accessory refuses.
    func verify(
        as controller: ControllerIdentity = Fixture.controller,
        of accessory: AccessoryPairing = Fixture.accessoryPairing
    ) async throws {
        var step = PairingStep.verify(as: controller, of: accessory)
        while true {
            switch step {
            case .post(let message, let next):
                step = try next(try await exchange(message, at: .pairVerify))
            case .finished(let frames):
                secure(with: frames)
                return
            }
        }
    }

    /// Posts a request about pairings, and returns the error in the response, or `nil` if the request succeeded.
    func managePairings(_ message: [UInt8]) async throws -> PairingErrorCode? {
        PairingMessages.error(of: try await exchange(message, at: .pairings))
    }
}
