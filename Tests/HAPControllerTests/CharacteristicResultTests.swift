import HAPController
import HAPCore
import Testing

@Suite("The result of one characteristic")
struct CharacteristicResultTests {
    @Test("A status has the meaning of its HAP code; a vendor's code has none")
    func statusHasTheMeaningOfItsHAPCode() throws {
        let id = try #require(CharacteristicID(1, 9))
        #expect(CharacteristicResult(id, code: -70_402).status == .unableToPerform)
        #expect(CharacteristicResult(id, code: -7).status == nil)
        #expect(CharacteristicResult(id, code: .max).status == nil)
        #expect(!CharacteristicResult(id, code: -7).isSuccess)
    }
}
