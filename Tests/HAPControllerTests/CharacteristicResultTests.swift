import HAPController
import HAPCore
import Testing

@Suite("The result of one characteristic")
struct CharacteristicResultTests {
    @Test("has the meaning that HAP gives its code, and none for a code of a vendor")
    func statusHasTheMeaningOfItsHAPCode() throws {
        let id = try #require(CharacteristicID(1, 9))
        #expect(CharacteristicResult(id, code: -70_402).status == .unableToPerform)
        #expect(CharacteristicResult(id, code: -7).status == nil)
        #expect(CharacteristicResult(id, code: .max).status == nil)
        #expect(!CharacteristicResult(id, code: -7).isSuccess)
    }
}
