import Discovery
import Testing

struct InstanceNameTests {
    @Test(arguments: [
        ("Kilgo Garage", "Kilgo Garage"), ("", "Accessory"), ("   ", "Accessory"), ("  Door ", "Door"),
        ("a\0b\nc\u{7F}", "a b c"), ("\u{1}", "Accessory"), ("Tür", "Tür"),
    ])
    func anyTextBecomesAName(text: String, name: String) {
        #expect(InstanceName(text).text == name)
    }

    @Test(arguments: [62, 63, 64, 65, 300])
    func aNameHas63BytesAtMost(length: Int) {
        #expect(InstanceName(String(repeating: "n", count: length)).text.utf8.count == min(length, 63))
    }

    @Test func aLongNameIsCutBetweenTwoCharacters() {
        let name = String(repeating: "n", count: 61)
        #expect(InstanceName(name + "€").text == name)
        #expect(InstanceName(name + " €").text == name)
    }

    @Test func aCharacterLongerThanANameIsCutBetweenItsScalars() {
        let name = InstanceName("e" + String(repeating: "\u{301}", count: 100))
        #expect(name.text.utf8.count == 63)
        #expect(name.text.unicodeScalars.count == 32)
    }

    @Test func alternativesDifferOnlyByANumber() {
        let name = InstanceName("Kilgo's Garage")
        #expect(
            [1, 2, 10].map { name.alternative($0).text } == ["Kilgo's Garage", "Kilgo's Garage 2", "Kilgo's Garage 10"]
        )
    }

    @Test func numberReplacesTheEndOfALongName() {
        let name = InstanceName(String(repeating: "€", count: 21))
        #expect(name.text.utf8.count == 63)
        #expect(name.alternative(2).text == String(repeating: "€", count: 20) + " 2")
    }
}
