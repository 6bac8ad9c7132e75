import HAPCore
import Testing

@testable import Simulation

/// Quirks change the form of messages, but not their meaning for a controller.
struct MessageStyleTests {
    private static func response(_ body: String, type: String = "application/hap+json") -> [UInt8] {
        Array(
            "HTTP/1.1 207 Multi-Status\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                .utf8
        )
    }

    private static func read(_ message: [UInt8]) throws -> HTTPMessage {
        var decoder = HTTPResponseDecoder(limits: .responses)
        message.withUnsafeBytes { decoder.append($0) }
        return try #require(try decoder.next())
    }

    static let bodies = [
        "{}", "[]", #"{"characteristics":[{"aid":2,"iid":9,"value":1}]}"#,
        #"{"characteristics":[{"aid":1,"iid":9,"value":"a \"quoted\" {text}: \\, [1,2]"},{"aid":2,"iid":9,"value":0}]}"#,
        #"{"accessories":[{"aid":1,"services":[{"iid":1,"characteristics":[{"iid":9,"format":"bool","value":1}]}]}]}"#,
        "{\"long\":\"" + String(repeating: "x", count: 333) + "\"}",
    ]

    private static let styles: [MessageQuirks] = [
        MessageQuirks(isChunked: true), MessageQuirks(hasExtraWhitespace: true), MessageQuirks(hasOddHeaders: true),
        MessageQuirks(isChunked: true, hasExtraWhitespace: true, hasOddHeaders: true),
    ]

    @Test(arguments: bodies, styles.indices)
    func aMessageWithQuirksMeansTheSame(body: String, index: Int) throws {
        let plain = Self.response(body)
        let styled = try #require(Self.styles[index].applied(to: plain))
        #expect(styled != plain)
        let message = try Self.read(styled)
        #expect(message.status == 207)
        #expect(try JSONValue(parsing: message.body) == JSONValue(parsing: Array(body.utf8)))
    }

    @Test func chunksHaveNoLength() throws {
        let body = Self.bodies[5]
        let text = String(
            decoding: try #require(MessageQuirks(isChunked: true).applied(to: Self.response(body))),
            as: UTF8.self
        )
        #expect(text.contains("Transfer-Encoding: chunked\r\n"))
        #expect(!text.contains("Content-Length"))
        #expect(text.hasSuffix("\r\n0\r\n\r\n"))
    }

    @Test func headerNamesAreInLowerAndUpperCase() throws {
        let text = String(
            decoding: try #require(MessageQuirks(hasOddHeaders: true).applied(to: Self.response("{}"))),
            as: UTF8.self
        )
        #expect(text.contains("\r\ncontent-type: application/hap+json\r\nCONTENT-LENGTH: 2\r\n"))
    }

    @Test func pairingMessagesKeepTheirBytes() {
        let message = Self.response("\u{6}\u{1}\u{2}", type: "application/pairing+tlv8")
        #expect(MessageQuirks(isChunked: true, hasExtraWhitespace: true, isReversed: true).applied(to: message) == nil)
    }

    @Test func theOrderOfChangesIsReversed() throws {
        let body = #"{"characteristics":[{"aid":1,"iid":9,"value":2},{"aid":2,"iid":9,"value":true}]}"#
        let reversed = #"{"characteristics":[{"aid":2,"iid":9,"value":true},{"aid":1,"iid":9,"value":2}]}"#
        #expect(MessageQuirks(isReversed: true).applied(to: Self.response(body)) == Self.response(reversed))
        #expect(MessageQuirks(isReversed: true).applied(to: Self.response(Self.bodies[2])) == nil)
    }

    @Test func booleansBecomeWordsAndNumbersStayNumbers() throws {
        let style = MessageQuirks(booleanIDs: [.lamp])
        let body =
            #"{"characteristics":[{"aid":2,"iid":9,"value":1},{"aid":1,"iid":9,"value":1},{"aid":2,"iid":9,"status":-70402}]}"#
        let words =
            #"{"characteristics":[{"aid":2,"iid":9,"value":true},{"aid":1,"iid":9,"value":1},{"aid":2,"iid":9,"status":-70402}]}"#
        #expect(style.applied(to: Self.response(body)) == Self.response(words))
        let database =
            #"{"accessories":[{"aid":1,"services":[{"characteristics":[{"format":"bool","value":0},{"format":"int","value":0}]}]}]}"#
        let said =
            #"{"accessories":[{"aid":1,"services":[{"characteristics":[{"format":"bool","value":false},{"format":"int","value":0}]}]}]}"#
        #expect(style.applied(to: Self.response(database)) == Self.response(said))
    }

    @Test func aCommaFollowsTheLastElementOfEachList() {
        let body = #"{"characteristics":[{"aid":2,"iid":9,"value":"[]"},{"a":[],"b":[1]}]}"#
        let odd = #"{"characteristics":[{"aid":2,"iid":9,"value":"[]"},{"a":[],"b":[1,]},]}"#
        #expect(MessageQuirks(hasTrailingCommas: true).applied(to: Self.response(body)) == Self.response(odd))
    }

    @Test func responsesToWritesHaveItemsWithoutIDs() {
        let style = MessageQuirks(anonymousItemCount: 2)
        let both = #"{"characteristics":[{"status":0},{"status":0}]}"#
        #expect(style.applied(to: Array("HTTP/1.1 204 No Content\r\n\r\n".utf8)) == Self.response(both))
        let items = #"{"characteristics":[{"aid":1,"iid":9,"status":-70402},{"aid":2,"iid":9,"status":0}]}"#
        let anonymous = #"{"characteristics":[{"status":-70402},{"status":0}]}"#
        #expect(style.applied(to: Self.response(items)) == Self.response(anonymous))
        #expect(style.applied(to: Self.response("{}")) == nil)
    }

    @Test func aButtonReadsAsItsLastPress() {
        let style = MessageQuirks(presses: [.lamp: 2])
        let body = #"{"characteristics":[{"aid":2,"iid":9,"value":null},{"aid":1,"iid":9,"value":null}]}"#
        let pressed = #"{"characteristics":[{"aid":2,"iid":9,"value":2},{"aid":1,"iid":9,"value":null}]}"#
        #expect(style.applied(to: Self.response(body)) == Self.response(pressed))
    }

    @Test func separatorsOfPairingsAreOmitted() {
        let type = "application/pairing+tlv8"
        let list = Self.response("\u{6}\u{1}\u{2}\u{1}\u{1}A\u{1}\u{1}B", type: type)
        let style = MessageQuirks(omitsSeparators: true)
        #expect(style.applied(to: list) == nil)
        let head = "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: "
        let body: [UInt8] = [6, 1, 2, 1, 1, 0x41, 0xFF, 0, 1, 1, 0x42]
        let message = Array("\(head)\(body.count)\r\n\r\n".utf8) + body
        let expected = Array("\(head)9\r\n\r\n".utf8) + [6, 1, 2, 1, 1, 0x41, 1, 1, 0x42]
        #expect(style.applied(to: message) == expected)
    }

    static let odd = [
        "", "\r\n", "\r\n\r\n", "HTTP/1.1 200 OK", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
    ]

    @Test(arguments: odd)
    func otherTextStaysUnchanged(text: String) {
        let style = MessageQuirks(
            isChunked: true,
            hasExtraWhitespace: true,
            hasOddHeaders: true,
            isReversed: true,
            booleanIDs: []
        )
        #expect(style.applied(to: Array(text.utf8)) == nil)
    }

    @Test(arguments: ["", "{", "nonsense", "[1]", #"{"characteristics":1}"#, #"{"accessories":[1,{"services":2}]}"#])
    func anUnknownBodyStaysUnchanged(body: String) {
        let style = MessageQuirks(isReversed: true, booleanIDs: [.lamp])
        #expect(style.applied(to: Self.response(body)) == nil)
    }

    @Test func noContentHasNoBodyToChunk() {
        let message = Array("HTTP/1.1 204 No Content\r\n\r\n".utf8)
        #expect(MessageQuirks(isChunked: true, hasOddHeaders: true).applied(to: message) == nil)
    }
}
