internal import AsyncPrimitives
internal import Cast
internal import Certificates

extension CastSession {
    /// Returns the SHA-256 digest of the device certificate, after the receiver has proved that it has its key.
    ///
    /// - Throws: ``CastSenderError/untrusted(_:)`` if it does not.
    public func deviceFingerprint() async throws(CastSenderError) -> String {
        try await fingerprint(on: certificate)
    }

    func fingerprint(on certificate: [UInt8]) async throws(CastSenderError) -> String {
        var generator = SystemRandomNumberGenerator()
        let nonce = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
        guard await authenticationTurn.acquireUnlessCancelled() else { throw .cancelled }
        defer { authenticationTurn.release() }
        let answer = OneShot<Result<[UInt8], CastSenderError>>()
        authentication = answer
        try send(.binary(DeviceProof.challenge(nonce: nonce)), CastNamespace.deviceAuthentication, to: CastID.receiver)
        let limit = configuration.timeLimit
        let result = await withTimeLimit(limit) { await answer.waitUnlessCancelled() ?? .failure(.cancelled) }
        guard let result else { throw Task.isCancelled ? .cancelled : .timedOut(limit) }
        guard let proof = try? DeviceProof(parsing: result.get()) else {
            if case .failure(let error) = result { throw error }
            throw .untrusted("it refuses to prove which device it is")
        }
        guard let device = try? Certificate(der: proof.certificate),
            device.verifies(proof.signature, of: nonce + certificate, hash: .sha256)
        else { throw .untrusted("its proof is not valid") }
        return device.fingerprint
    }
}
