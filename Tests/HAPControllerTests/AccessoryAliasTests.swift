import Testing

@testable import HAPController

@Suite("The alias of an accessory") struct AccessoryAliasTests {
    @Test(
        "The alias is derived from the name of the accessory and shortened",
        arguments: [
            ("Kilgo Garage", "kilgo-garage"), ("  Eve  Energy (2) ", "eve-energy-2"), ("Große Tür", "große-tür"),
            ("", "accessory"), ("!!!", "accessory"), (nil, "accessory"), ("a\u{1B}b", "a-b"),
            ("1", "accessory-1"), ("1.9", "1-9"), ("11:22:33:44:55:66", "11-22-33-44-55-66"),
            ("a\u{200D}b\u{202E}c", "ab-c"),
            ("-rf", "rf"), ("Cafe\u{301}", "cafe\u{301}"), ("a" + String(repeating: "\u{301}", count: 99), "accessory"),
            ("\u{1F4A1} Lamp", "lamp"),
            (String(repeating: "x", count: 100), String(repeating: "x", count: 32)),
        ] as [(String?, String)]
    )
    func aliasIsShortenedFromTheName(name: String?, alias: String) {
        #expect(AccessoryAlias.suggestion(for: name, taken: []) == alias)
        #expect(AccessoryAlias.isValid(alias))
    }

    @Test("An alias that is taken gets a number")
    func takenAliasIsNumbered() {
        #expect(AccessoryAlias.suggestion(for: "Lamp", taken: ["lamp"]) == "lamp-2")
        #expect(AccessoryAlias.suggestion(for: "Lamp", taken: ["lamp", "lamp-2", "lamp-3"]) == "lamp-4")
    }

    @Test(
        "An alias that could be mistaken for something else is refused",
        arguments: [
            "", "1", "1.9", "12.", "a=b", "a\u{200D}b", "a\u{202E}b", "\u{E000}", "a b", "a:1", "a/b", "-a", "a\n",
            "11:22:33:44:55:66", String(repeating: "x", count: 65),
        ]
    )
    func ambiguousAliasIsRefused(text: String) {
        #expect(!AccessoryAlias.isValid(text))
    }
}
