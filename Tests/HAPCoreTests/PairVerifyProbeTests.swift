import HAPCore
import TestSupport
import Testing

struct PairVerifyProbeTests {
    @Test(arguments: [PairingTable(), Fixture.pairedTable])
    func anAccessoryIdentifiesItselfToAnUnpairedController(pairings: PairingTable) throws {
        let inquiry = PairVerifyQuery(ephemeral: .random())
        let response = try #require(Self.respond(to: inquiry.request, pairings))
        #expect(try inquiry.identifier(in: response) == Fixture.accessory.deviceID.text)
    }

    @Test func aResponseToAnotherRequestIdentifiesNothing() throws {
        let response = try #require(Self.respond(to: PairVerifyQuery(ephemeral: .random()).request, PairingTable()))
        #expect(throws: PairingFailure.self) {
            try PairVerifyQuery(ephemeral: .random()).identifier(in: response)
        }
    }

    @Test func aRefusalIsDistinguishedFromMalformedBytes() {
        #expect(throws: PairingFailure.refused(.authentication)) {
            try PairVerifyQuery(ephemeral: .random()).identifier(in: [UInt8](hex: "060102070102"))
        }
        for nonsense in ["", "06", "060102", "06010203200000", "0601020320" + String(repeating: "00", count: 32)] {
            #expect(throws: PairingFailure.self) {
                try PairVerifyQuery(ephemeral: .random()).identifier(in: [UInt8](hex: nonsense))
            }
        }
    }

    @Test func everyDamagedResponseIsRefused() throws {
        let secret = [UInt8](repeating: 7, count: 32)
        let question = PairVerifyQuery(ephemeral: X25519KeyPair(secret: SecretBytes(copying: secret))).request
        let response = try #require(Self.respond(to: question, PairingTable()))
        for index in response.indices {
            var damaged = response
            damaged[index] ^= 1
            #expect(throws: PairingFailure.self) {
                try PairVerifyQuery(ephemeral: X25519KeyPair(secret: SecretBytes(copying: secret)))
                    .identifier(in: damaged)
            }
            #expect(throws: PairingFailure.self) {
                try PairVerifyQuery(ephemeral: X25519KeyPair(secret: SecretBytes(copying: secret)))
                    .identifier(in: Array(response[..<index]))
            }
        }
    }

    private static func respond(to question: [UInt8], _ pairings: PairingTable) -> [UInt8]? {
        var machine = PairVerifyAccessory(identity: Fixture.accessory)
        guard case .respond(let reply) = machine.receive(question, pairings: pairings, ephemeral: { .random() }) else {
            return nil
        }
        return reply.message
    }
}
