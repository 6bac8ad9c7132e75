import Testing

@testable import HAPController

@Suite("The name under which an accessory is kept") struct AccessoryAliasTests {
    @Test(
        "is made short from its own",
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

    @Test("is numbered when it is taken")
    func takenAliasIsNumbered() {
        #expect(AccessoryAlias.suggestion(for: "Lamp", taken: ["lamp"]) == "lamp-2")
        #expect(AccessoryAlias.suggestion(for: "Lamp", taken: ["lamp", "lamp-2", "lamp-3"]) == "lamp-4")
    }

    @Test(
        "is none that could be taken for something else",
        arguments: [
            "", "1", "1.9", "12.", "a=b", "a\u{200D}b", "a\u{202E}b", "\u{E000}", "a b", "a:1", "a/b", "-a", "a\n",
            "11:22:33:44:55:66", String(repeating: "x", count: 65),
        ]
    )
    func ambiguousAliasIsRefused(text: String) {
        #expect(!AccessoryAlias.isValid(text))
    }
}
