import Documents
import Testing

@Suite
struct JSONDocumentParserTests {
    @Test(arguments: [
        (
            "{\"é\": \"\\u12\"}", "1:12",
            "an escape lacks its four digits; write \\\\ for a backslash, or \\u with four digits"
        ),
        (
            "{\n  \"a\": \"😀\\ud83d\"\n}", "2:16",
            "a lone surrogate; write both halves of the character, as \\ud83d\\ude00"
        ),
        ("{\"a\": \"\\", "1:9", "a string does not end; add a double quote"),
        ("{\"a\": 01}", "1:7", "\"01\" is not a value; put it in double quotes"),
        ("{\"é\": tru}", "1:7", "\"tru\" is not a value; put it in double quotes"),
        (
            "{\"a\": 1,\n}", "2:1",
            "a member begins with its key; write one in double quotes, or remove the comma in front"
        ),
        ("{1: 2}", "1:2", "a member begins with its key; write one in double quotes"),
        ("{\"a\": }", "1:7", "a value is missing; write one"),
        ("[1, ]", "1:5", "a value is missing; write one, or remove the comma in front"),
        ("{} {}", "1:4", "text after the end of the value; remove it"),
    ])
    func errorsAreReportedWithTheirPositions(text: String, position: String, reason: String) {
        var diagnostics = DiagnosticCollector()
        let root = JSONDocumentParser.compose(Array(text.utf8), in: "a", &diagnostics)
        #expect(root == nil)
        #expect(diagnostics.ordered.map(\.description) == ["a:\(position): this is not JSON: \(reason)"])
    }

    @Test
    func membersAreLocatedByCharacters() throws {
        var diagnostics = DiagnosticCollector()
        let root = JSONDocumentParser.compose(Array("{\"é😀\": 1.50,\n \"b\": [null]}".utf8), in: "a", &diagnostics)
        let members = try #require(root?.mapping)
        #expect(members.map(\.position) == [TextPosition(line: 1, column: 2), TextPosition(line: 2, column: 2)])
        #expect(members.map(\.value.position) == [TextPosition(line: 1, column: 8), TextPosition(line: 2, column: 7)])
        #expect(members.first?.value.scalar?.text == "1.50")
    }
}
