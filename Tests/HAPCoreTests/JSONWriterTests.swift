import HAPCore
import TestSupport
import Testing

struct JSONWriterTests {
    @Test func commasAreWrittenAutomatically() {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key(plain: "a")
        writer.beginArray()
        writer.value(1)
        writer.beginObject()
        writer.endObject()
        writer.beginArray()
        writer.endArray()
        writer.null()
        writer.endArray()
        writer.key("b")
        writer.value(true)
        writer.key("c\"")
        writer.value(base64: [1, 2, 3, 4])
        writer.key("d")
        writer.value(encoded: Array("[0]".utf8))
        writer.endObject()
        #expect(text(writer) == #"{"a":[1,{},[],null],"b":true,"c\"":"AQIDBA==","d":[0]}"#)
    }

    @Test func theHotBodyIsWrittenAsExpected() {
        var writer = CharacteristicResponseWriter()
        writer.beginItem(CharacteristicAddress(aid: 1, iid: 10))
        writer.json.key(plain: "value")
        writer.json.value(1)
        writer.endItem()
        let body = writer.finish()
        #expect(String(decoding: body, as: UTF8.self) == #"{"characteristics":[{"aid":1,"iid":10,"value":1}]}"#)
        #expect(body.count == 50)
    }

    @Test func writerAppendsToExistingBytes() {
        var writer = JSONWriter(continuing: Array("head ".utf8))
        writer.value(7)
        #expect(text(writer) == "head 7")
    }

    @Test(
        arguments: [
            ("\u{7F}", #"\u007F"#), ("a\u{9B}2J\n", #"a\u009B2J\n"#), ("\u{AD}é\u{202E}\"", #"\u00ADé\u202E\""#),
            ("\u{2028}\u{2066}", #"\u2028\u2066"#), ("\u{E0067}", #"\uDB40\uDC67"#), ("é–🙂", "é–🙂"),
        ]
    )
    func terminalControlCharactersAreEscapedExceptForTheProtocol(text: String, escaped: String) throws {
        var output = JSONWriter()
        output.beginObject()
        output.key(text)
        output.value(text)
        output.endObject()
        #expect(self.text(output) == "{\"\(escaped)\":\"\(escaped)\"}")
        var message = JSONWriter(escaping: .required)
        message.value(text)
        let bytes = message.finish()
        #expect(try JSONValue(parsing: Array(#""\#(escaped)""#.utf8)).encoded == JSONValue(parsing: bytes).encoded)
        #expect(bytes.contains(0x5C) == text.unicodeScalars.contains { $0.value < 0x20 || $0 == "\"" })
    }

    @Test(
        arguments: [
            (0, "0"), (9, "9"), (10, "10"), (99, "99"), (100, "100"), (.max, "18446744073709551615"),
            (9_999_999_999_999_999_999, "9999999999999999999"), (10_000_000_000_000_000_000, "10000000000000000000"),
        ] as [(UInt64, String)]
    )
    func integersAreDecimal(value: UInt64, expected: String) {
        var writer = JSONWriter()
        writer.value(value)
        #expect(text(writer) == expected)
    }

    @Test(
        arguments: [
            (0, "0"), (-1, "-1"), (-70_410, "-70410"), (.min, "-9223372036854775808"), (.max, "9223372036854775807"),
        ]
            as [(Int64, String)]
    )
    func negativeIntegersAreDecimal(value: Int64, expected: String) {
        var writer = JSONWriter()
        writer.value(value)
        #expect(text(writer) == expected)
    }

    @Test(
        arguments: [
            (0.0, "0"), (-0.0, "0"), (1.0, "1"), (-2.0, "-2"), (21.5, "21.5"), (0.1, "0.1"), (.nan, "null"),
            (.infinity, "null"), (-.infinity, "null"), (1e20, "1e+20"), (.leastNonzeroMagnitude, "5e-324"),
        ] as [(Double, String)]
    )
    func realNumbersAreShortAndFinite(value: Double, expected: String) {
        var writer = JSONWriter()
        writer.value(value)
        #expect(text(writer) == expected)
    }

    @Test(arguments: [
        ("", #""""#), ("plain", #""plain""#), ("\"", #""\"""#), ("\\", #""\\""#), ("a\"b\\c", #""a\"b\\c""#),
        ("/", #""/""#),
        ("\u{8}\t\n\u{C}\r", #""\b\t\n\f\r""#), ("\0\u{1}\u{1F}", #""\u0000\u0001\u001F""#),
        ("é😀\u{7F}", "\"é😀\u{7F}\""),
        ("end\n", #""end\n""#), ("\nstart", #""\nstart""#),
    ])
    func textsAreEscapedWhereTheyMustBe(value: String, expected: String) {
        var writer = JSONWriter(escaping: .required)
        writer.value(value)
        #expect(text(writer) == expected)
    }

    @Test func everyCharacterSurvivesTheRoundTrip() throws {
        let scalars = (0...0x11_0000).lazy.compactMap(Unicode.Scalar.init(_:))
            .filter { $0.value < 0x300 || $0.value % 97 == 0 }
        let value = JSONValue.string(scalars.reduce(into: "") { $0.unicodeScalars.append($1) })
        #expect(try JSONValue(parsing: value.encoded) == value)
    }

    @Test func everyNumberSurvivesTheRoundTrip() throws {
        var generator = SeededRandom(seed: 1)
        for _ in 0..<20_000 {
            let bits = generator.next()
            let shift = UInt64.random(in: 0..<64, using: &generator)
            var numbers = [
                JSONNumber(bits), JSONNumber(bits >> shift), JSONNumber(Int64(bitPattern: bits) >> Int64(shift)),
            ]
            numbers += [Double(bitPattern: bits), Double(bits >> shift) / 1000].compactMap { JSONNumber($0) }
            for number in numbers {
                #expect(try JSONValue(parsing: JSONValue.number(number).encoded).number == number)
            }
        }
    }

    @Test func damagedTextIsRefusedOrReadsBackTheSame() {
        var generator = SeededRandom(seed: 2)
        let text = Array(
            #"{"a":[1,-2.5e3,true,null,"\u00e9\ud83d\ude00é"],"b":{"c":"","d":[[]]},"e":18446744073709551615}"#.utf8
        )
        var accepted = 0
        for _ in 0..<20_000 {
            guard let value = try? JSONValue(parsing: text.damaged(using: &generator)) else { continue }
            accepted += 1
            #expect((try? JSONValue(parsing: value.encoded)) == value)
        }
        #expect(accepted > 100)
    }

    private func text(_ writer: JSONWriter) -> String {
        String(decoding: writer.finish(), as: UTF8.self)
    }
}
