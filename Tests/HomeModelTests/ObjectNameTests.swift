import HomeModel
import Testing

/// What may be a name, and when two are one.
struct ObjectNameTests {
    @Test(arguments: [
        "A", "7", "Garage", "Living Room", "Kids' Room", "Kids\u{2019} Room", "1st Floor", "Küche", "Cafe\u{301}",
        "居間", "غرفة", "कमरा", "Room ٣", "A  B", String(repeating: "x", count: 64), String(repeating: "居", count: 64),
    ])
    func aNameOfLettersDigitsSpacesAndApostrophesIsTaken(_ text: String) throws {
        #expect(try ObjectName(text).text == text)
    }

    static let refused: [(text: String, code: HomeError.Code)] = [
        ("", .emptyName), (" ", .emptyName), ("   ", .emptyName),
        (String(repeating: "x", count: 65), .nameTooLong), (String(repeating: "x", count: 1_000_000), .nameTooLong),
        ("e" + String(repeating: "\u{301}", count: 128), .nameTooLong),
        ("Lamp!", .nameCharacters), ("Lamp-1", .nameCharacters), ("Lamp\u{0}", .nameCharacters),
        ("Lamp\tone", .nameCharacters), ("Lamp\none", .nameCharacters), ("A\u{A0}B", .nameCharacters),
        ("Party 🎉", .nameCharacters), ("🎉", .nameCharacters), ("A\u{200B}B", .nameCharacters),
        ("A\u{202E}B", .nameCharacters), ("1\u{FE0F}\u{20E3}", .nameCharacters), ("\u{2139}", .nameCharacters),
        ("½ Bath", .nameCharacters), ("Ⅷ", .nameCharacters), ("A\u{3164}B", .nameCharacters),
        ("\u{301}A", .nameCharacters), ("A \u{301}", .nameCharacters), ("\u{FFFD}", .nameCharacters),
        ("Lamp/On", .nameCharacters), ("Lamp_1", .nameCharacters), ("\u{E000}", .nameCharacters),
        (" Lamp", .nameEnds), ("Lamp ", .nameEnds), ("'Lamp", .nameEnds), ("Lamp'", .nameEnds), ("'", .nameEnds),
        ("Kids\u{2019}", .nameEnds),
    ]

    @Test(arguments: refused)
    func everyOtherTextIsRefusedWithTheRuleThatItBreaks(_ text: String, code: HomeError.Code) {
        let error = #expect(throws: HomeError.self) { try ObjectName(text) }
        #expect(error?.code == code)
        #expect(error?.reason.hasSuffix(".") == true && error?.remedy.hasSuffix(".") == true)
        #expect((error?.description.utf8.count ?? .max) < 1000)
        #expect(error?.description.unicodeScalars.allSatisfy { $0.value >= 0x20 } == true)
    }

    @Test(arguments: [
        ("Kids' Room", "kidsroom"), ("Kids\u{2019} Room", "KIDS ROOM"), ("Living Room", "LivingRoom"),
        ("Cafe\u{301}", "CAFÉ"), ("Straße", "STRASSE"), ("ΟΔΟΣ", "οδος"), ("\u{212A}itchen", "kitchen"),
    ])
    func caseSpacesAndApostrophesDoNotCount(_ one: String, other: String) throws {
        #expect(try ObjectName(one).key == ObjectName(other).key)
    }

    @Test
    func otherLettersCount() throws {
        #expect(try ObjectName("Kitchen 1").key != ObjectName("Kitchen 2").key)
        #expect(try ObjectName("Kuche").key != ObjectName("Küche").key)
    }
}
