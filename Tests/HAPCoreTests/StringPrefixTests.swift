import HAPCore
import Testing

/// The beginning of a text within a number of bytes.
struct StringPrefixTests {
    @Test(arguments: [("abc", 2, "ab"), ("a\u{E9}", 2, "a"), ("\u{E9}", 1, ""), ("a\u{E9}", 3, "a\u{E9}"), ("", 1, "")])
    func textsAreCutBetweenCharacters(_ text: String, _ limit: Int, _ beginning: String) {
        #expect(text.prefix(utf8Bytes: limit) == beginning)
    }
}
