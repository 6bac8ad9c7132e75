import ArgumentParser
import HAPController
import HAPCore
import Hosting
import Testing

@testable import hap

struct PairingArgumentsTests {
    private func parsed(_ words: String...) throws -> (setup: String, accessory: String?) {
        let (setup, accessory) = try PairingArguments.parse(words).parsed()
        switch setup {
        case .code(let code): return (code.text, accessory)
        case .payload(let payload): return (payload.text, accessory)
        }
    }

    @Test(arguments: [
        ["Kilgo Garage", "101-48-005"], ["10148005", "Kilgo Garage"], ["Kilgo Garage", "--code", "10148005"],
    ])
    func accessoryAndCodeAreInEitherOrder(words: [String]) throws {
        let (setup, accessory) = try PairingArguments.parse(words).parsed()
        #expect(accessory == "Kilgo Garage")
        guard case .code(let code) = setup else {
            Issue.record("\(setup)")
            return
        }
        #expect(code.text == "101-48-005")
    }

    @Test func codeAloneHasNoAccessory() throws {
        #expect(try parsed("101-48-005").accessory == nil)
        #expect(try parsed("X-HM://0042JX0W2IG5C").accessory == nil)
        #expect(try parsed("X-HM://0042JX0W2IG5C").setup == "X-HM://0042JX0W2IG5C")
    }

    @Test(arguments: [
        ([], "The setup code is missing"), (["Garage"], "The setup code is missing"),
        (["127.0.0.1:5", "101-48-00"], "That is not a setup code"), (["a", "b", "10148005"], "in quotes"),
        (["10148005", "--code", "10148005"], "given twice"), (["10148005", "--as", "a b"], "not a valid alias"),
    ])
    func invalidArgumentsAreExplained(words: [String], message: String) throws {
        let failure = #expect(throws: CommandFailure.self) { try PairingArguments.parse(words).parsed() }
        #expect(failure?.code == .usage)
        #expect(failure?.message.contains(message) == true, "\(failure?.message ?? "")")
        #expect(failure?.message.contains("101-48-00.") != true && failure?.message.contains("10148005") != true)
    }
}
