import Discovery
import Testing

@testable import hap

@Suite struct AnnouncementCheckTests {
    private static let expected = [
        ("c#", "1"), ("ff", "0"), ("id", "C8:D8:58:C6:63:F5"), ("md", "KG-100"), ("pv", "1.1"), ("s#", "1"),
        ("sf", "1"), ("ci", "4"), ("sh", "712Omw=="),
    ]

    private static func results(
        replacing key: String = "",
        with value: String? = nil,
        identifier: String? = nil
    ) -> [CheckResult] {
        var text = TXTRecord()
        for (name, usual) in expected {
            if let value = name == key ? value : usual { text.append(name, value) }
        }
        let service = ResolvedService(name: "G", host: "g.local", address: "192.0.2.1", port: 1, text: text)
        return AnnouncementCheck(service: service, identifier: identifier).results
    }

    @Test func expectedAnnouncementIsShownInOneLine() throws {
        let diagnostics = Self.results(identifier: "c8:d8:58:c6:63:f5")
        #expect(diagnostics.map(\.state) == [.ok, .ok])
        #expect(diagnostics.first?.sentence.contains("c#=1 ff=0 id=C8:D8:58:C6:63:F5") == true)
        #expect(diagnostics.last?.sentence.contains("not paired") == true)
        #expect(Self.results(replacing: "sf", with: "0").last?.sentence.hasPrefix("It is paired") == true)
    }

    @Test(
        arguments: [
            ("c#", "0", .problem), ("c#", "x", .problem), ("c#", nil, .problem), ("c#", "65536", .note),
            ("c#", "99999999999999999999999", .problem), ("ff", "1", .note), ("ff", "", .problem),
            ("id", nil, .problem), ("id", "C8:D8", .problem), ("id", "c8:d8:58:c6:63:f5", .note),
            ("md", nil, .problem), ("md", "", .problem), ("pv", nil, .note), ("pv", "1.0", .note),
            ("pv", "2", .problem),
            ("s#", nil, .problem), ("s#", "2", .note), ("sf", nil, .problem), ("sf", "2", .note), ("sf", "5", .note),
            ("sf", "9", .note), ("ci", nil, .problem), ("ci", "0", .problem), ("ci", "200", .note),
            ("sh", "", .problem),
            ("sh", "712O", .problem), ("sh", "not base64", .problem),
        ] as [(String, String?, CheckResult.State)]
    )
    func unexpectedValueIsReportedByItsKey(key: String, value: String?, state: CheckResult.State) {
        let diagnostics = Self.results(replacing: key, with: value).filter { $0.state != .ok }
        #expect(diagnostics.map(\.state) == [state])
        #expect(diagnostics.first?.sentence.hasPrefix(key) == true)
        #expect(state != .problem || diagnostics.first?.remedy != nil)
    }

    @Test(arguments: ["ff", "sh"])
    func optionalKeyMayBeAbsent(key: String) {
        #expect(Self.results(replacing: key).allSatisfy { $0.state == .ok })
    }

    @Test func differentIdentityIsAProblem() {
        let diagnostics = Self.results(identifier: "00:00:00:00:00:01")
        #expect(diagnostics.contains { $0.state == .problem && $0.sentence.contains("pair-verify") })
    }

    @Test func terminalControlsAreNotRepeated() {
        let diagnostics = Self.results(replacing: "c#", with: "\u{1B}[2J\u{7}\u{202E}\n\u{9B}")
        #expect(
            diagnostics.allSatisfy { diagnostic in
                diagnostic.sentence.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
            }
        )
        #expect(diagnostics.allSatisfy { !$0.sentence.contains("\u{202E}") })
    }
}
