import TestSupport
import Testing

@testable import HAPCore

struct SRPTests {
    @Test func theGroupMatchesTheVectors() {
        let prime = SRPGroup.standard.prime.bytes(count: SRPGroup.elementLength)
        #expect(prime.hex == Vectors.all.srp.N)
        #expect(SRPGroup.standard.multiplier.hex == Vectors.all.srp.k)
    }

    @Test(arguments: Vectors.all.srp.cases)
    func theVerifierIsComputedFromPasswordAndSalt(_ vector: Vectors.SRP.Case) throws {
        let verifier = try #require(Self.verifier(vector))
        #expect(verifier.verifier.hex == vector.v)
    }

    @Test(arguments: Vectors.all.srp.cases)
    func theServerComputesItsPublicKey(_ vector: Vectors.SRP.Case) throws {
        let verifier = try #require(Self.verifier(vector))
        let key = SRPServerKey(secret: SecretBytes(hex: vector.b))
        #expect(key.publicKey(for: verifier).hex == vector.B)
    }

    @Test(arguments: Vectors.all.srp.cases)
    func theServerAcceptsATrimmedProof(_ vector: Vectors.SRP.Case) throws {
        let agreement = try #require(try Self.agreement(vector, proof: vector.M1))
        #expect(agreement.sessionKey.hex == vector.K)
        #expect(agreement.serverProof.hex == vector.M2)
    }

    /// The padded variant of B-leading-zero is omitted, because an accessory never sends such a B.
    @Test(arguments: ["A-leading-zero", "S-leading-zero"])
    func theServerAcceptsAPaddedProofAndItsKey(_ name: String) throws {
        let vector = Vectors.all.srp[name]
        let variant = try #require(vector.paddedVariant)
        let agreement = try #require(try Self.agreement(vector, proof: variant.M1))
        #expect(agreement.sessionKey.hex == variant.K)
        #expect(agreement.serverProof.hex == variant.M2)
    }

    @Test(arguments: Vectors.all.srp.cases)
    func precomputedPowersGiveTheSameKey(_ vector: Vectors.SRP.Case) throws {
        let verifier = try #require(Self.verifier(vector))
        let powers = SRPVerifierPowers(of: verifier)
        let agreement = try #require(try Self.agreement(vector, proof: vector.M1, verifier: verifier, powers))
        #expect(agreement.sessionKey.hex == vector.K)
        #expect(agreement.serverProof.hex == vector.M2)
    }

    @Test func precomputedPowersOfAnotherVerifierAreIgnored() throws {
        let vector = Vectors.all.srp["plain"]
        let powers = SRPVerifierPowers(of: SRPVerifier(code: Fixture.setupCode))
        let agreement = try #require(try Self.agreement(vector, proof: vector.M1, powers))
        #expect(agreement.sessionKey.hex == vector.K)
    }

    @Test(arguments: Vectors.all.srp.cases)
    func aLeadingZeroOfTheClientKeyMayBeOmitted(_ vector: Vectors.SRP.Case) throws {
        let trimmed = Array([UInt8](hex: vector.A).drop { $0 == 0 })
        let agreement = try #require(try Self.agreement(vector, clientKey: trimmed, proof: vector.M1))
        #expect(agreement.serverProof.hex == vector.M2)
    }

    @Test(arguments: Vectors.all.srp.cases, [0, 31, 63])
    func aProofThatDiffersInOneBitIsRefused(_ vector: Vectors.SRP.Case, position: Int) throws {
        var proof = [UInt8](hex: vector.M1)
        proof[position] ^= 0x80
        #expect(try Self.agreement(vector, proof: proof.hex) == nil)
    }

    @Test func aProofOfAnotherPasswordIsRefused() throws {
        let vector = Vectors.all.srp["plain"]
        let response = try #require(
            SRPClient.response(
                serverKey: [UInt8](hex: vector.B),
                salt: [UInt8](hex: vector.salt),
                code: Fixture.setupCode("101-48-006")
            )
        )
        #expect(try Self.agreement(vector, clientKey: response.publicKey, proof: response.proof.hex) == nil)
    }

    @Test(arguments: Vectors.all.srp.cases)
    func theClientComputesKeyAndProofs(_ vector: Vectors.SRP.Case) throws {
        let response = try #require(Self.clientResponse(vector, serverKey: [UInt8](hex: vector.B)))
        #expect(response.publicKey.hex == vector.A)
        #expect(response.proof.hex == vector.M1)
        #expect(response.agreement.sessionKey.hex == vector.K)
        #expect(response.agreement.serverProof.hex == vector.M2)
    }

    @Test func theClientPadsAShortPublicKey() throws {
        let vector = Vectors.all.srp["B-leading-zero"]
        let trimmed = Array([UInt8](hex: vector.B).drop { $0 == 0 })
        try #require(trimmed.count == 383)
        let response = try #require(Self.clientResponse(vector, serverKey: trimmed))
        #expect(response.proof.hex == vector.M1)
    }

    @Test(arguments: multiplesOfN)
    func aMultipleOfNIsNoPublicKey(_ key: [UInt8]) throws {
        let vector = Vectors.all.srp["plain"]
        #expect(!SRPServer.isAcceptable(clientKey: key))
        #expect(try Self.agreement(vector, clientKey: key, proof: vector.M1) == nil)
        #expect(SRPClient.response(serverKey: key, salt: [UInt8](hex: vector.salt), code: Fixture.setupCode) == nil)
    }

    @Test func aKeyAboveNIsReducedModuloN() {
        #expect(SRPServer.isAcceptable(clientKey: [UInt8](repeating: 0xFF, count: 384)))
        #expect(SRPServer.isAcceptable(clientKey: [1]))
    }

    /// An accessory that knows the code can send `k·v + 1`.
    ///
    /// Then S is 1 for every a, and so always begins with zeros.
    @Test func retriesForASecretWithLeadingZerosAreLimited() {
        let vector = Vectors.all.srp["plain"]
        let key = SRPServerKey(secret: SecretBytes(copying: [0])).publicKey(for: Fixture.verifier)
        #expect(SRPClient.response(serverKey: key, salt: [UInt8](hex: vector.salt), code: Fixture.setupCode) != nil)
    }

    /// With the B of the plain case, the first secret leads to an A and the second one to a K that begins with a zero
    /// byte.
    @Test(
        arguments: [
            ("A-leading-zero", nil), ("K", "3217f013af0cbe7691ab558b6f2dcd2390db87d16cf3f5415f3d91e4730e54f2"),
        ] as [(String, String?)]
    )
    func theClientDrawsAnotherSecretForANumberThatBeginsWithAZeroByte(_ name: String, secret: String?) throws {
        let plain = Vectors.all.srp["plain"]
        var secrets = [secret ?? Vectors.all.srp[name].a, plain.a]
        let response = try #require(
            SRPClient.response(
                serverKey: [UInt8](hex: plain.B),
                salt: [UInt8](hex: plain.salt),
                code: Fixture.setupCode
            ) {
                SecretBytes(hex: secrets.removeFirst())
            }
        )
        #expect(secrets.isEmpty)
        #expect(response.publicKey.hex == plain.A)
        #expect(response.agreement.sessionKey.hex == plain.K)
    }

    @Test func theClientDrawsAnotherSecretForAnSThatBeginsWithAZeroByte() throws {
        let vector = Vectors.all.srp["S-leading-zero"]
        var secrets = [vector.a, Vectors.all.srp["A-leading-zero"].a, Vectors.all.srp["alice-password123"].a]
        let response = try #require(
            SRPClient.response(
                serverKey: [UInt8](hex: vector.B),
                salt: [UInt8](hex: vector.salt),
                code: Fixture.setupCode
            ) { SecretBytes(hex: secrets.removeFirst()) }
        )
        #expect(secrets.isEmpty)
        #expect(response.publicKey.first != 0)
    }

    @Test func clientAndServerAlwaysAgree() throws {
        for _ in 0..<8 {
            let verifier = SRPVerifier(code: Fixture.setupCode)
            let key = SRPServerKey.random(verifierPowers: SRPVerifierPowers(of: verifier))
            let response = try #require(
                SRPClient.response(
                    serverKey: key.publicKey(for: verifier),
                    salt: verifier.salt,
                    code: Fixture.setupCode
                )
            )
            #expect(response.publicKey.count == 384)
            #expect(response.publicKey.first != 0)
            let agreement = try #require(
                SRPServer.agreement(
                    clientKey: response.publicKey,
                    clientProof: response.proof,
                    serverKey: key,
                    verifier: verifier
                )
            )
            #expect(agreement.sessionKey.hex == response.agreement.sessionKey.hex)
            #expect(agreement.serverProof == response.agreement.serverProof)
        }
    }

    @Test func aRandomSaltBeginsWithANonzeroByte() {
        // A random first byte would pass 16 times with a probability of 94 %, and 256 times with 37 %. Each verifier
        // takes a millisecond.
        for _ in 0..<64 {
            let salt = SRPVerifier(code: Fixture.setupCode).salt
            #expect(salt.count == 16)
            #expect(salt.first != 0)
        }
    }

    @Test(arguments: [0, 15, 17])
    func aSaltHas16Bytes(_ count: Int) {
        #expect(SRPVerifier(code: Fixture.setupCode, salt: [UInt8](repeating: 1, count: count)) == nil)
    }

    private static let multiplesOfN: [[UInt8]] = [
        [0], [UInt8](repeating: 0, count: 384), [UInt8](hex: Vectors.all.srp.N),
    ]

    private static func verifier(_ vector: Vectors.SRP.Case) -> SRPVerifier? {
        SRPVerifier(userName: vector.username, password: vector.password, salt: [UInt8](hex: vector.salt))
    }

    private static func clientResponse(_ vector: Vectors.SRP.Case, serverKey: [UInt8]) -> SRPClient.Response? {
        SRPClient.response(
            serverKey: serverKey,
            salt: [UInt8](hex: vector.salt),
            userName: vector.username,
            password: vector.password,
            secret: SecretBytes(hex: vector.a)
        )
    }

    private static func agreement(
        _ vector: Vectors.SRP.Case,
        clientKey: [UInt8]? = nil,
        proof: String,
        verifier: SRPVerifier? = nil,
        _ powers: SRPVerifierPowers? = nil
    ) throws -> SRPAgreement? {
        SRPServer.agreement(
            clientKey: clientKey ?? [UInt8](hex: vector.A),
            clientProof: [UInt8](hex: proof),
            serverKey: SRPServerKey(secret: SecretBytes(hex: vector.b), verifierPowers: powers),
            verifier: try #require(verifier ?? Self.verifier(vector)),
            userName: vector.username
        )
    }
}
