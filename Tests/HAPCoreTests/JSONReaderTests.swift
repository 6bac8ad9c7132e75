import HAPCore
import Testing

struct JSONReaderTests {
    @Test(
        arguments: [
            ("null", .null), ("true", true), (" false\r\n\t", false), ("0", 0), ("-0", 0), ("-0.0e5", 0), ("7", 7),
            ("-1", -1), ("1.0", 1), ("1e3", 1000), ("1E+3", 1000), ("1200e-2", 12), ("21.5", 21.5), ("-0.1", -0.1),
            ("1e-3", 0.001), ("[]", []), ("[ ]", []), ("[1 , 2]", [1, 2]), ("{}", .object([:])),
            ("{ }", .object([:])), ("{\"a\" : [true] , \"\":null}", .object(["a": [true], "": .null])),
            ("\"\"", ""), ("\"a\\\"\\\\\\/\\b\\f\\n\\r\\tz\"", "a\"\\/\u{8}\u{C}\n\r\tz"),
            ("\"\\u0041\\u00e9\\u20AC\"", "Aé€"), ("\"\\ud83d\\uDE00\"", "😀"), ("\"\\u0000\"", "\0"),
            ("\"\\uFFFF\\uE000\\uD7FF\"", "\u{FFFF}\u{E000}\u{D7FF}"), ("\"é€😀\u{7F}\"", "é€😀\u{7F}"),
        ] as [(String, JSONValue)]
    )
    func aTextBecomesItsValue(text: String, value: JSONValue) throws {
        #expect(try JSONValue(parsing: Array(text.utf8)) == value)
    }

    @Test(
        arguments: [
            ("18446744073709551615", .unsigned(.max)), ("18446744073709551614", .unsigned(.max - 1)),
            ("9007199254740993", .unsigned(9_007_199_254_740_993)),
            ("9007199254740993.0", .unsigned(9_007_199_254_740_993)),
            ("1844674407370955161.5e1", .unsigned(.max)), ("-9223372036854775808", .negative(.min)),
            ("18446744073709551616", .real(0x1p64)), ("-9223372036854775809", .negative(.min)),
            ("1.7976931348623157e308", .real(.greatestFiniteMagnitude)), ("5e-324", .real(.leastNonzeroMagnitude)),
            ("1e-400", 0),
            ("0e999999999999999999999", 0), ("0.30000000000000004", .real(0.30000000000000004)),
            ("123456789012345678901234567890", .real(0x1.8ee90ff6c373ep+96)),
            ("1.00000000000000000000000000000", 1), ("3.141592653589793238462643", .real(.pi)), ("1e22", .real(1e22)),
        ] as [(String, JSONNumber)]
    )
    func numberIsExactWherePossible(text: String, number: JSONNumber) throws {
        #expect(try JSONValue(parsing: Array(text.utf8)).number == number)
    }

    @Test(arguments: [
        "", " ", "nul", "nulll", "True", "tru", "truee", "1 2", "[] []", "{}x", "null\0", "\u{FEFF}null", "//", "'a'",
        "01", "-", "-a", "+1", ".5", "1.", "1.e1", "1e", "1e+", "0x1", "1_0", "NaN", "Infinity", "-01", "--1",
        "1e309", "-1e309", "1e99999999999999999999", "00",
        "[", "]", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "[1}", "{", "}", "{]", "{\"a\"", "{\"a\":", "{\"a\":1",
        "{\"a\":1,", "{\"a\":1,}", "{\"a\" 1}", "{a:1}", "{1:1}", "{,}", "{\"a\":1 \"b\":2}", "{null:1}",
        "{\"a\":1,\"a\":2}", "{\"\":1,\"\":2}", "{\"a\":1,\"\\u0061\":2}",
        "\"", "\"a", "\"\\", "\"\\\"", "\"\\x\"", "\"\\u\"", "\"\\u12\"", "\"\\u12G4\"", "\"\\u123", "\"a\nb\"",
        "\"\t\"", "\"\0\"", "\"\u{1F}\"", "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\u0041\"", "\"\\ud800\\ud800\"",
        "\"\\ud800x\"", "\"\\ud800\\n\"", "\"\\ud800", "\"\\ud800\\", "\"\\ud800\\u", "\u{A0}1", "\u{B}1",
    ])
    func invalidJSONIsRefused(text: String) {
        let error = #expect(throws: ProtocolError.self) { try JSONValue(parsing: Array(text.utf8)) }
        #expect(error?.code == .json)
    }

    @Test(
        arguments: [
            ("[1,]", [1]), ("[1 , \n]", [1]), ("{\"a\":1,}", .object(["a": 1])),
            ("[{\"a\":[1,],},]", [.object(["a": [1]])]), ("[1,2]", [1, 2]), ("[,]", nil), ("[1,,]", nil), ("{,}", nil),
            ("{\"a\":1,,}", nil), ("[1,", nil), ("1,", nil),
        ] as [(String, JSONValue?)]
    )
    func aCommaMayFollowTheLastElementIfThatIsAllowed(text: String, value: JSONValue?) {
        #expect((try? JSONValue(parsing: Array(text.utf8), limits: .accessoryMessage)) == value)
    }

    @Test(
        arguments: [
            [0x80], [0xC3], [0xC0, 0x80], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF],
            [0xC3, 0x5C, 0x6E], [0x5C, 0x6E, 0xC3], [0xF0, 0x9F, 0x98],
        ] as [[UInt8]]
    )
    func invalidUTF8InAStringIsRefused(bytes: [UInt8]) {
        let quoted = [0x22] + bytes + [0x22]
        #expect(throws: ProtocolError.self) { try JSONValue(parsing: quoted) }
        #expect(throws: ProtocolError.self) { try JSONValue(parsing: [0x7B] + quoted + [0x3A, 0x31, 0x7D]) }
    }

    @Test(arguments: [1, 15, 16, 17, 18, 100])
    func duplicateKeyIsFoundAmongAnyNumberOfMembers(count: Int) {
        let members = (0..<count).map { "\"k\($0)\":\($0)" }
        let unique = "{\(members.joined(separator: ","))}"
        #expect((try? JSONValue(parsing: Array(unique.utf8)))?.object?.members.count == count)
        for repeated in [0, count / 2, count - 1] {
            let text = "{\((members + ["\"k\(repeated)\":0"]).joined(separator: ","))}"
            #expect(throws: ProtocolError.self) { try JSONValue(parsing: Array(text.utf8)) }
        }
    }

    @Test func sameKeyInTwoObjectsIsNotADuplicate() throws {
        let value = try JSONValue(parsing: Array("[{\"a\":{\"a\":1}},{\"a\":2}]".utf8))
        #expect(value == [.object(["a": .object(["a": 1])]), .object(["a": 2])])
    }

    @Test func textsAreComparedBytewise() throws {
        let value = try JSONValue(parsing: Array(#"{"\u00e9":"\u00e9","e\u0301":"e\u0301"}"#.utf8))
        let object = try #require(value.object)
        #expect(object.members.count == 2)
        #expect(object["\u{e9}"] != object["e\u{301}"])
        #expect(Set(object.members).count == 2)
        #expect(Set([value, value]).count == 1)
    }

    // Comparing such keys by Unicode's rules took two minutes, because sorting a run of combining marks is quadratic.
    @Test func keysOfCombiningMarksAreComparedInLinearTime() throws {
        let marks = String(repeating: "\u{301}\u{323}", count: 60_000)
        let members = (0..<32).map { "\"\(marks)\($0)\":\($0)" }
        let value = try JSONValue(parsing: Array("{\(members.joined(separator: ","))}".utf8))
        #expect(value.object?["\(marks)31"] == 31)
        #expect(value.object?["aid"] == nil)
    }

    @Test func membersKeepTheirOrder() throws {
        let object = try #require(try JSONValue(parsing: Array("{\"z\":1,\"a\":2,\"m\":3}".utf8)).object)
        #expect(object.members.map(\.key) == ["z", "a", "m"])
        #expect(object["m"] == 3)
        #expect(object["q"] == nil)
    }

    @Test(arguments: ["[", "{\"a\":"])
    func nestingIsLimited(opening: String) {
        let closing = opening == "[" ? "]" : "}"
        let inner = opening == "[" ? "" : "1"
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: opening, count: depth) + inner + String(repeating: closing, count: depth)).utf8)
        }
        #expect((try? JSONValue(parsing: nested(32))) != nil)
        #expect(code(of: nested(33)) == .tooLarge)
        #expect(code(of: nested(200_000)) == .tooLarge)
        #expect(code(of: Array("1".utf8), JSONLimits(maximumDepth: 0)) == nil)
        #expect(code(of: Array("[]".utf8), JSONLimits(maximumDepth: 0)) == .tooLarge)
        #expect((try? JSONValue(parsing: nested(256), limits: JSONLimits(maximumDepth: 256))) != nil)
    }

    @Test func numberOfValuesIsLimited() {
        func list(_ count: Int) -> [UInt8] {
            Array("[\(Array(repeating: "0", count: count).joined(separator: ","))]".utf8)
        }
        #expect(code(of: list(99_999)) == nil)
        #expect(code(of: list(100_000)) == .tooLarge)
        #expect(code(of: Array("[{\"a\":[1]}]".utf8), JSONLimits(maximumValues: 4)) == nil)
        #expect(code(of: Array("[{\"a\":[1]}]".utf8), JSONLimits(maximumValues: 3)) == .tooLarge)
    }

    @Test func aNumberHasAtMost1024Characters() {
        #expect(code(of: Array(("1." + String(repeating: "0", count: 1022)).utf8)) == nil)
        #expect(code(of: Array(("1." + String(repeating: "0", count: 1023)).utf8)) == .json)
    }

    @Test func errorReportsItsPosition() {
        let error = #expect(throws: ProtocolError.self) { try JSONValue(parsing: Array("[1,x]".utf8)) }
        #expect(error?.location == "JSON byte 3")
    }

    @Test func callerMemoryIsReadInPlace() throws {
        let text = Array("{\"a\":1}".utf8)
        #expect(try text.withUnsafeBytes { try JSONValue(parsing: $0) } == .object(["a": 1]))
        #expect(throws: ProtocolError.self) { try JSONValue(parsing: UnsafeRawBufferPointer(start: nil, count: 0)) }
    }

    private func code(of text: [UInt8], _ limits: JSONLimits = JSONLimits()) -> ProtocolError.Code? {
        do throws(ProtocolError) {
            _ = try JSONValue(parsing: text, limits: limits)
            return nil
        } catch {
            return error.code
        }
    }
}
