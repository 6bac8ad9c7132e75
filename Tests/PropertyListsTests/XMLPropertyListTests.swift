import Documents
import PropertyLists
import Testing

/// Tests which XML property lists are read, and where others are refused.
@Suite
struct XMLPropertyListTests {
    private static let head = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">

        """

    @Test
    func everyElementIsRead() throws {
        let text =
            Self.head + """
                <!-- a comment -->
                <dict>
                    <key>bool</key><true/>
                    <key>not</key><false></false>
                    <key>integer</key><integer> -12 </integer>
                    <key>real</key><real>0.5</real>
                    <key>string</key><string>a &lt;&amp;&gt;&quot;&apos;&#233;&#xE9;<![CDATA[<b>]]><!-- c --> </string>
                    <key>data</key><data>
                        AQID
                        BA==
                    </data>
                    <key>date</key><date>2026-11-21T12:30:05Z</date>
                    <key>array</key><array><array/><dict/><string/></array>
                    <key>uid</key><dict><key>CF$UID</key><integer>3</integer></dict>
                    <key>no uid</key><dict><key>CF$UID</key><integer>3</integer><key>a</key><true/></dict>
                </dict>
                </plist>

                """
        let expected: PropertyList = [
            "bool": true, "not": false, "integer": -12, "real": .real(0.5), "string": "a <&>\"'éé<b> ",
            "data": .data([1, 2, 3, 4]), "date": .date(816_957_005), "array": [[], [:], ""], "uid": .uid(3),
            "no uid": ["CF$UID": 3, "a": true],
        ]
        #expect(try read(text) == expected)
        #expect(try read("\u{FEFF}\r\n" + text.replacing("\n", with: "\r\n")) == expected)
    }

    @Test(arguments: [
        ("0001-01-01T00:00:00Z", -63_113_904_000.0), ("2001-01-01T00:00:00Z", 0), ("2000-02-29T23:59:59Z", -26_438_401),
        ("1970-01-01T00:00:00Z", -978_307_200),
    ])
    func datesAreSecondsSinceTheMillennium(_ text: String, _ seconds: Double) throws {
        #expect(try read("<date>\(text)</date>") == .date(seconds))
    }

    @Test(arguments: [
        ("", 1, 1, "an element is missing"),
        ("<", 1, 1, "a tag has no name"),
        ("<plist", 1, 1, "must end after its name"),
        ("<plist/>", 1, 1, "is empty"),
        ("<plist></plist>", 1, 8, "has no name"),
        ("<plist><true/>", 1, 15, "</plist> is missing"),
        ("<plist><true/><true/></plist>", 1, 15, "</plist> is missing"),
        ("<true/>\n x", 2, 2, "after the end"),
        ("<true>1</true>", 1, 1, "must be empty"),
        ("<array>\n  é<true/></array>", 2, 3, "an element is missing"),
        ("<array><true/>", 1, 15, "an element is missing"),
        ("<array></dict>", 1, 8, "</array> is missing"),
        ("<array><!-- </array>", 1, 8, "a comment does not end"),
        ("<dict><true/></dict>", 1, 7, "<key> or </dict> is expected"),
        ("<dict>\n <key>a</key></dict>", 2, 2, "has no value"),
        ("<dict><key>a</key><true/><key>a</key><true/></dict>", 1, 26, "has the key \"a\" twice"),
        ("<set/>", 1, 1, "<set> is not an element"),
        ("<string a='b'/>", 1, 1, "attributes are not allowed"),
        ("<plist version=1><true/></plist>", 1, 15, "has no value"),
        ("<string>a", 1, 9, "is truncated"),
        ("<string><b/></string>", 1, 9, "</string> is missing"),
        ("<string><![CDATA[a</string>", 1, 18, "CDATA"),
        ("<string>&nbsp;</string>", 1, 9, "is not a known entity"),
        ("<string>&#0;</string>", 1, 9, "is not a known entity"),
        ("<string>&#xD800;</string>", 1, 9, "is not a known entity"),
        ("<string>&#+65;</string>", 1, 9, "is not a known entity"),
        ("<string>a & b</string>", 1, 11, "does not begin a reference"),
        ("<integer></integer>", 1, 1, "not a 64-bit integer"),
        ("<integer>1.5</integer>", 1, 1, "not a 64-bit integer"),
        ("<array>\n\n  <integer>18446744073709551616</integer></array>", 3, 3, "not a 64-bit integer"),
        ("<real>0x1p3</real>", 1, 1, "not a number"),
        ("<real>nan</real>", 1, 1, "not a number"),
        ("<real>1e999</real>", 1, 1, "not a number"),
        ("<data>A</data>", 1, 1, "not Base64"),
        ("<date>2001-01-01</date>", 1, 1, "not a date"),
        ("<date>2001-13-01T00:00:00Z</date>", 1, 1, "not a date"),
        ("<dict><key>CF$UID</key><integer>4294967296</integer></dict>", 1, 1, "32 bits"),
        ("<?xml version='1.0'", 1, 1, "does not end"),
        ("<?xml version='1.0' encoding='UTF-16'?><true/>", 1, 1, "not UTF-8"),
        ("<?php?><true/>", 1, 1, "are not allowed"),
        ("<array><?php?></array>", 1, 8, "are not allowed"),
        ("<!DOCTYPE plist", 1, 1, "does not end"),
        ("<!DOCTYPE plist PUBLIC \"", 1, 1, "does not end"),
    ])
    func illegalMarkupIsRefusedWithItsPosition(_ text: String, _ line: Int, _ column: Int, _ reason: String) {
        let error = #expect(throws: DocumentError.self) { try read(text) }
        let diagnostic = error?.diagnostics.first
        #expect(
            diagnostic?.position == TextPosition(line: line, column: column),
            "\(error.map(String.init(describing:)) ?? "")"
        )
        #expect(diagnostic?.reason.contains(reason) == true, "\(diagnostic?.reason ?? "")")
        #expect(diagnostic?.reason.contains("; ") == true, "the reason lacks a remedy: \(diagnostic?.reason ?? "")")
    }

    @Test
    func documentTypeWithDeclarationsIsRefused() {
        let bomb = """
            <?xml version="1.0"?>
            <!DOCTYPE plist [ <!ENTITY a "aaaaaaaaaa"> <!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"> ]>
            <plist><string>&b;</string></plist>
            """
        let file = """
            <!DOCTYPE plist PUBLIC "[" "x" [ <!ENTITY a SYSTEM "file:///etc/passwd"> ]>
            <plist><string>&a;</string></plist>
            """
        for text in [bomb, file] {
            let error = #expect(throws: DocumentError.self) { try read(text) }
            #expect(error?.diagnostics.first?.reason.contains("document type") == true)
        }
    }

    @Test
    func textThatIsNotUTF8IsRefused() {
        #expect(throws: DocumentError.self) {
            try PropertyListReader.read(Array("<string>".utf8) + [0xC3, 0x28] + Array("</string>".utf8), name: "f")
        }
    }

    private func read(_ text: String) throws -> PropertyList {
        try PropertyListReader.read(Array(text.utf8), name: "lamp.hasaccessory")
    }
}
