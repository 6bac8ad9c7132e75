import HAPCore
import HomeModel
import Testing

/// Tests which names are valid, and which are equal.
struct ObjectNameTests {
    @Test(arguments: [
        "A", "7", "Garage", "Living Room", "Kids' Room", "Kids\u{2019} Room", "1st Floor", "Küche", "Cafe\u{301}",
        "居間", "غرفة", "कमरा", "Room ٣", "A  B", String(repeating: "x", count: 64), String(repeating: "居", count: 64),
    ])
    func namesOfLettersDigitsSpacesAndApostrophesAreAccepted(_ text: String) throws {
        #expect(try ObjectName(text).text == text)
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        let text: String
        let code: HomeError.Code
        /// The beginning of the name, which may have a million characters.
        var testDescription: String { "\(text.prefix(12).debugDescription), \(code)" }

        init(_ text: String, _ code: HomeError.Code) {
            self.text = text
            self.code = code
        }
    }

    static let refused: [Refused] = [
        .init("", .emptyName), .init(" ", .emptyName), .init("   ", .emptyName),
        .init(String(repeating: "x", count: 65), .nameTooLong),
        .init(String(repeating: "x", count: 1_000_000), .nameTooLong),
        .init("e" + String(repeating: "\u{301}", count: 128), .nameTooLong),
        .init("Lamp!", .nameCharacters), .init("Lamp-1", .nameCharacters), .init("Lamp\u{0}", .nameCharacters),
        .init("Lamp\tone", .nameCharacters), .init("Lamp\none", .nameCharacters), .init("A\u{A0}B", .nameCharacters),
        .init("Party 🎉", .nameCharacters), .init("🎉", .nameCharacters), .init("A\u{200B}B", .nameCharacters),
        .init("A\u{202E}B", .nameCharacters), .init("1\u{FE0F}\u{20E3}", .nameCharacters),
        .init("\u{2139}", .nameCharacters),
        .init("½ Bath", .nameCharacters), .init("Ⅷ", .nameCharacters), .init("A\u{3164}B", .nameCharacters),
        .init("\u{301}A", .nameCharacters), .init("A \u{301}", .nameCharacters), .init("\u{FFFD}", .nameCharacters),
        .init("Lamp/On", .nameCharacters), .init("Lamp_1", .nameCharacters), .init("\u{E000}", .nameCharacters),
        .init(" Lamp", .nameEnds), .init("Lamp ", .nameEnds), .init("'Lamp", .nameEnds), .init("Lamp'", .nameEnds),
        .init("'", .nameEnds),
        .init("Kids\u{2019}", .nameEnds),
    ]

    @Test(arguments: refused)
    func invalidNamesAreRefusedWithTheBrokenRule(_ refused: Refused) {
        let error = #expect(throws: HomeError.self) { try ObjectName(refused.text) }
        #expect(error?.code == refused.code)
        #expect(error?.reason.hasSuffix(".") == true && error?.remedy.hasSuffix(".") == true)
        #expect((error?.description.utf8.count ?? .max) < 1000)
        #expect(error?.description.unicodeScalars.allSatisfy { $0.value >= 0x20 } == true)
    }

    @Test(arguments: [
        ("Kids' Room", "kidsroom"), ("Kids\u{2019} Room", "KIDS ROOM"), ("Living Room", "LivingRoom"),
        ("Cafe\u{301}", "CAFÉ"), ("Straße", "STRASSE"), ("ΟΔΟΣ", "οδος"), ("\u{212A}itchen", "kitchen"),
    ])
    func caseSpacesAndApostrophesAreIgnored(_ one: String, other: String) throws {
        #expect(try ObjectName(one).key == ObjectName(other).key)
    }

    @Test
    func otherCharactersAreSignificant() throws {
        #expect(try ObjectName("Kitchen 1").key != ObjectName("Kitchen 2").key)
        #expect(try ObjectName("Kuche").key != ObjectName("Küche").key)
    }
}
