import FuzzHarness
import HAPCore
import TestSupport

/// The exponentiations of both roles with any numbers from a peer.
///
/// It runs only a few hundred inputs per second.
enum SRPTarget: FuzzTarget {
    static let name = "srp"

    static var seeds: [String: [UInt8]] {
        let vector = Vectors.all.srp["plain"]
        let modulus = [UInt8](hex: Vectors.all.srp.N)
        return [
            "accessory": [0] + [UInt8](hex: vector.M1) + [UInt8](hex: vector.A),
            "accessory-zero": [0] + [UInt8](repeating: 0, count: 65),
            "accessory-modulus": [0] + [UInt8](repeating: 1, count: 64) + modulus,
            "controller": [1, 16] + Fixture.verifier.salt + [UInt8](hex: vector.B),
            "controller-zero": [1, 0],
            "controller-one": [1, 1, 0, 1],
        ]
    }

    static func run(_ input: [UInt8]) {
        var source = ByteSource(input)
        if source.byte() % 2 == 0 {
            let proof = source.bytes(64)
            checkAccessory(proof, source.remainder())
        } else {
            let salt = source.bytes(Int(source.byte()))
            checkController(salt, source.remainder())
        }
    }

    private static func checkAccessory(_ proof: [UInt8], _ clientKey: [UInt8]) {
        guard 1...384 ~= clientKey.count else { return }
        let computations = SetupComputations.all
        let isAcceptable = SRPServer.isAcceptable(clientKey: clientKey)
        let agreement = SRPServer.agreement(
            clientKey: clientKey,
            clientProof: proof,
            serverKey: computations.serverKey,
            verifier: Fixture.verifier
        )
        claim(isAcceptable || agreement == nil, "a multiple of N is no key")
        guard agreement != nil else { return }
        claim(proof == computations.response.proof, "only who knows the code can prove it")
        claim(clientKey == computations.response.publicKey, "a proof holds for one key")
    }

    private static func checkController(_ salt: [UInt8], _ serverKey: [UInt8]) {
        guard 1...384 ~= serverKey.count, 1...64 ~= salt.count else { return }
        let response = SRPClient.response(
            serverKey: serverKey,
            salt: salt,
            password: Fixture.setupCode.text,
            secret: SecretBytes(copying: [UInt8](repeating: 9, count: 32))
        )
        claim(
            response == nil || response?.publicKey.count == 384 && response?.proof.count == 64,
            "an answer has its size"
        )
        claim((response == nil) == !SRPServer.isAcceptable(clientKey: serverKey), "a multiple of N is no key")
    }
}
