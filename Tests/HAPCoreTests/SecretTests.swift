import HAPCore
import TestSupport
import Testing

struct SecretTests {
    /// A value of every type that contains a secret and can be printed.
    ///
    /// `SecretBytes` and the ciphers of frames cannot be printed.
    private static let holders: [any Sendable] = {
        let plain = Vectors.all.srp["plain"]
        let key = SRPServerKey(secret: SecretBytes(hex: plain.b))
        let response = SRPClient.response(
            serverKey: [UInt8](hex: plain.B),
            salt: [UInt8](hex: plain.salt),
            password: plain.password,
            secret: SecretBytes(hex: plain.a)
        )
        var machine = PairSetupAccessory(identity: Fixture.accessory, verifier: Fixture.verifier)
        _ = machine.receive([UInt8](hex: Vectors.all.pairSetup.M1), pairings: PairingTable(), isSlotFree: true)
        _ = machine.didCompute(.serverKey(key))
        let check = machine.receive([UInt8](hex: Vectors.all.pairSetup.M3), pairings: PairingTable(), isSlotFree: true)
        let keys = Vectors.all.pairVerify
        let secret = SessionSecret(
            keys: SecretBytes(hex: keys.accessoryToControllerKey + keys.controllerToAccessoryKey)
        )
        return [
            Fixture.verifier, SRPVerifierPowers(of: Fixture.verifier), Fixture.accessory, Fixture.controller, key,
            secret,
            SessionKeys(secret: secret, role: .accessory), check, SRPComputation.Result.serverKey(key),
            response, response?.agreement, SRPComputation.Result.clientResponse(response),
        ]
    }()

    private static let secrets: [String] = {
        let plain = Vectors.all.srp["plain"]
        let setup = Vectors.all.pairSetup
        let verify = Vectors.all.pairVerify
        return [
            plain.password, plain.a, plain.b, plain.v, plain.S, plain.K, setup.accessoryLTSKSeed,
            setup.controllerLTSKSeed, verify.accessoryToControllerKey, verify.controllerToAccessoryKey,
        ]
    }()

    @Test(arguments: holders.indices)
    func descriptionsContainNoSecret(_ index: Int) {
        let holder = Self.holders[index]
        var dumped = ""
        dump(holder, to: &dumped)
        for text in [String(describing: holder), String(reflecting: holder), "\(holder)", dumped] {
            for secret in Self.secrets {
                #expect(!text.lowercased().contains(secret))
                #expect(!text.contains([UInt8](hexOrText: secret).prefix(6).map { "\($0)" }.joined(separator: ", ")))
            }
        }
    }

    @Test func descriptionsNameTheHiddenValue() {
        #expect("\(Fixture.setupCode)" == "setup code (hidden)")
        #expect("\(Fixture.verifier)" == "SRP verifier (hidden)")
        #expect("\(SRPServerKey(secret: SecretBytes(copying: [1])))" == "SRP server key (hidden)")
        let secret = SessionSecret(keys: .random(count: 64))
        #expect("\(SessionKeys(secret: secret, role: .accessory))" == "session keys (hidden)")
        #expect("\(Fixture.accessory)" == "accessory 11:22:33:AA:BB:CC")
        #expect("\(Fixture.controller)" == "controller \(Vectors.all.pairSetup.controllerPairingID)")
    }

    @Test func anAgreementOverwritesTheEphemeralSecret() {
        let vector = Vectors.all.pairVerify
        let pair = X25519KeyPair(secret: SecretBytes(hex: vector.accessoryEphemeralSecret))
        #expect(pair.publicKey.hex == vector.accessoryEphemeralPublic)
        let hex = pair.sharedSecret(with: [UInt8](hex: vector.controllerEphemeralPublic))?.hex
        #expect(hex == vector.sharedSecret + String(repeating: "00", count: 32))
    }

    @Test(arguments: [0, 31, 33])
    func aPublicKeyHas32Bytes(_ count: Int) {
        let isRefused = X25519KeyPair.random().sharedSecret(with: [UInt8](repeating: 9, count: count)) == nil
        #expect(isRefused)
    }

    @Test func comparisonCoversEveryByteAndTheLength() {
        #expect(ConstantTime.areEqual([], []))
        #expect(ConstantTime.areEqual([1, 2], [1, 2]))
        #expect(!ConstantTime.areEqual([1, 2], [1, 3]))
        #expect(!ConstantTime.areEqual([1, 2], [3, 2]))
        #expect(!ConstantTime.areEqual([1, 2], [1, 2, 0]))
        #expect(!ConstantTime.areEqual([], [0]))
    }
}

extension [UInt8] {
    /// Creates a secret from hexadecimal text, or else from the bytes of the text.
    fileprivate init(hexOrText text: String) {
        self = text.utf8.allSatisfy { $0.hexadecimalDigit != nil } ? [UInt8](hex: text) : Array(text.utf8)
    }
}
