/// The controller's side of SRP-6a.
///
/// HAP: §6.1
package enum SRPClient {
    /// The controller's public key in 384 bytes, its proof, and the expected proof of the accessory.
    package final class Response: Sendable {
        package let publicKey: [UInt8]
        package let proof: [UInt8]
        package let agreement: SRPAgreement

        init(publicKey: [UInt8], proof: [UInt8], agreement: SRPAgreement) {
            self.publicKey = publicKey
            self.proof = proof
            self.agreement = agreement
        }
    }

    /// Computes the response to an accessory's public key and salt; `nil` if the key is a multiple of N.
    ///
    /// Accessories differ in whether they hash A and S padded or trimmed, and HAP-python also trims K. So new secrets
    /// are generated until none of the three begins with a zero byte. This takes about four milliseconds.
    ///
    /// - Parameter draw: Generates a 32-byte secret a.
    package static func response(
        serverKey: [UInt8],
        salt: [UInt8],
        code: SetupCode,
        drawing draw: () -> SecretBytes = { .random(count: 32) }
    ) -> Response? {
        // An accessory that knows the code can choose a key for which S is always small, so attempts are limited. With
        // an honest accessory, a second attempt is needed in one of 85 cases.
        var latest: Response?
        for _ in 0..<8 {
            let candidate = candidate(serverKey: serverKey, salt: salt, password: code.text, draw())
            guard let candidate else { return nil }
            latest = candidate.answer
            if !candidate.isAmbiguous { break }
        }
        return latest
    }

    /// Returns the response for a given secret a.
    ///
    /// Leading zeros of A and S are trimmed, as by ADK.
    package static func response(
        serverKey: [UInt8],
        salt: [UInt8],
        userName: String = "Pair-Setup",
        password: String,
        secret: consuming SecretBytes
    ) -> Response? {
        candidate(serverKey: serverKey, salt: salt, userName: userName, password: password, secret)?.answer
    }

    private static func candidate(
        serverKey: [UInt8],
        salt: [UInt8],
        userName: String = SRPHash.userName,
        password: String,
        _ secret: consuming SecretBytes
    ) -> (answer: Response, isAmbiguous: Bool)? {
        let group = SRPGroup.standard
        let scratch = BigNumberContext()
        guard let server = group.element(serverKey, scratch) else { return nil }
        let exponent = BigNumber(secret)
        let publicKey = group.power(group.generator, exponent, scratch).bytes(count: SRPGroup.elementLength)
        let scramble = BigNumber(SRPHash.scramblingParameter(clientKey: publicKey, serverKey: serverKey))
        let privateKey = BigNumber(SRPHash.privateKey(userName: userName, password: password, salt: salt))

        // S = (B - k·g^x) ^ (a + u·x)
        let masked = group.multipliedByK(group.power(group.generator, privateKey, scratch), scratch)
        let combined = SRPGroup.multiplyAdd(exponent, scramble, privateKey, scratch)
        let shared = group.power(group.difference(server, masked), combined, scratch)
        let premaster = SecretBytes(count: SRPGroup.elementLength) { shared.write(into: $0) }

        let sessionKey = premaster.withBytes { SRPHash.sessionKey(UnsafeRawBufferPointer(rebasing: $0.trimmed)) }
        let proof = SRPHash.clientProof(
            userName: userName,
            salt: salt,
            clientKey: SRPHash.trimmed(publicKey),
            serverKey: serverKey,
            sessionKey: sessionKey
        )
        let serverProof = SRPHash.serverProof(clientKey: publicKey, clientProof: proof, sessionKey: sessionKey)
        let isAmbiguous =
            publicKey.first == 0 || premaster.withBytes { $0.first == 0 } || sessionKey.withBytes { $0.first == 0 }
        let agreement = SRPAgreement(sessionKey: sessionKey, serverProof: serverProof)
        return (Response(publicKey: publicKey, proof: proof, agreement: agreement), isAmbiguous)
    }
}

extension SRPClient.Response: CustomStringConvertible {
    /// A fixed text without the keys.
    package var description: String {
        "SRP answer (hidden)"
    }
}
