import HAPCore
import TestSupport
import Testing

struct PairVerifyInquiryTests {
    @Test(arguments: [PairingTable(), Fixture.pairedTable])
    func anAccessoryTellsAStrangerWhoItIs(pairings: PairingTable) throws {
        let inquiry = PairVerifyInquiry(ephemeral: .random())
        let answer = try #require(Self.answer(to: inquiry.question, pairings))
        #expect(try inquiry.identifier(in: answer) == Fixture.accessory.deviceID.text)
    }

    @Test func anAnswerToAnotherQuestionTellsNothing() throws {
        let answer = try #require(Self.answer(to: PairVerifyInquiry(ephemeral: .random()).question, PairingTable()))
        #expect(throws: PairingFailure.self) {
            try PairVerifyInquiry(ephemeral: .random()).identifier(in: answer)
        }
    }

    @Test func aRefusalIsToldApartFromNonsense() {
        #expect(throws: PairingFailure.refused(.authentication)) {
            try PairVerifyInquiry(ephemeral: .random()).identifier(in: [UInt8](hex: "060102070102"))
        }
        for nonsense in ["", "06", "060102", "06010203200000", "0601020320" + String(repeating: "00", count: 32)] {
            #expect(throws: PairingFailure.self) {
                try PairVerifyInquiry(ephemeral: .random()).identifier(in: [UInt8](hex: nonsense))
            }
        }
    }

    @Test func everyDamageOfTheAnswerIsRefused() throws {
        let secret = [UInt8](repeating: 7, count: 32)
        let question = PairVerifyInquiry(ephemeral: X25519KeyPair(secret: SecretBytes(copying: secret))).question
        let answer = try #require(Self.answer(to: question, PairingTable()))
        for index in answer.indices {
            var damaged = answer
            damaged[index] ^= 1
            #expect(throws: PairingFailure.self) {
                try PairVerifyInquiry(ephemeral: X25519KeyPair(secret: SecretBytes(copying: secret)))
                    .identifier(in: damaged)
            }
            #expect(throws: PairingFailure.self) {
                try PairVerifyInquiry(ephemeral: X25519KeyPair(secret: SecretBytes(copying: secret)))
                    .identifier(in: Array(answer[..<index]))
            }
        }
    }

    private static func answer(to question: [UInt8], _ pairings: PairingTable) -> [UInt8]? {
        var machine = PairVerifyAccessory(identity: Fixture.accessory)
        guard case .reply(let reply) = machine.receive(question, pairings: pairings, ephemeral: { .random() }) else {
            return nil
        }
        return reply.message
    }
}
