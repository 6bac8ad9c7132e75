import HAPCore
import Hosting
import Testing

@testable import WebConsole

struct TraceRecordTests {
    @Test func recordIsReadAsItWasWritten() throws {
        var record = TraceRecord(.request)
        record.time = EventTime(nanoseconds: 1_000_000)
        record.server = "Garage \"1\""
        record.connection = 7
        record.controller = "ABC"
        record.method = "PUT"
        record.path = "/characteristics"
        record.setBody(Array(#"{"characteristics":[{"aid":1,"iid":9,"value":true}]}"#.utf8), isSecret: false)
        let read = try #require(TraceRecord(line: record.line.dropLast()))
        #expect(read.kind == .request)
        #expect(read.timeText == "1970-01-01T00:00:00.001Z")
        #expect(read.server == "Garage \"1\"")
        #expect(read.connection == 7)
        #expect(read.controller == "ABC")
        #expect(read.method == "PUT")
        #expect(read.path == "/characteristics")
        #expect(read.body == record.body)
        #expect(read.hiddenBytes == nil)
    }

    @Test func authorizationDataIsHiddenAtAnyDepth() {
        var record = TraceRecord(.request)
        record.setBody(Array(#"{"characteristics":[{"aid":1,"iid":9,"authData":"c2VjcmV0"}]}"#.utf8), isSecret: false)
        #expect(!record.line.contains("c2VjcmV0"))
        #expect(record.line.contains("(hidden)"))
    }

    @Test func valuesOfTLVsAndOfUnknownCharacteristicsAreHidden() throws {
        let id = try #require(CharacteristicID(parsing: "1.8"))
        for body in [
            #"{"characteristics":[{"aid":1,"iid":9,"value":"AQEB"}]}"#,
            #"{"accessories":[{"aid":1,"services":[{"iid":8,"characteristics":[{"iid":9,"format":"tlv8","value":"AQEB"}]}]}]}"#,
        ] {
            var record = TraceRecord(.response)
            record.setBody(Array(body.utf8), isSecret: false, showing: [id])
            #expect(!record.line.contains("AQEB"), "\(record.line)")
        }
        var record = TraceRecord(.event)
        record.setBody(
            Array(#"{"characteristics":[{"aid":1,"iid":8,"value":"AQEB"}]}"#.utf8),
            isSecret: false,
            showing: [id]
        )
        #expect(record.line.contains("AQEB"), "\(record.line)")
    }

    /// Secrets in places that no controller of today uses.
    @Test(arguments: [
        #"{"characteristics":[{"aid":1,"iid":"8","value":"AQEB"}]}"#,
        #"{"characteristics":[{"aid":1,"value":"AQEB"}]}"#,
        #"{"characteristics":[{"iid":8,"value":"AQEB"}]}"#, #"{"characteristics":[{"value":"AQEB"}]}"#,
        #"{"characteristics":[{"aid":1,"iid":8,"Value":"AQEB"}]}"#, #"{"aid":1,"iid":8,"value":["AQEB"]}"#,
        #"{"aid":1,"iid":8,"value":{"AQ":{"value":"AQEB"}}}"#, #"{"token":"AQEB"}"#, #"["AQEB"]"#, #""AQEB""#,
        #"{"accessories":[{"aid":1,"services":[{"characteristics":[{"iid":9,"value":"AQEB"}]}]}]}"#,
        #"{"pid":"AQEB"}"#, #"{"characteristics":[{"aid":"AQEB","iid":8}]}"#,
    ])
    func whatIsNotKnownToBeHarmlessIsHidden(body: String) throws {
        let id = try #require(CharacteristicID(parsing: "1.8"))
        var record = TraceRecord(.request)
        record.setBody(Array(body.utf8), isSecret: false, showing: [id])
        #expect(!record.line.contains("AQEB") && record.line.contains("(hidden)"), "\(record.line)")
    }

    @Test func metadataAndValuesOfKnownCharacteristicsAreShown() throws {
        let body = #"""
            {"accessories":[{"aid":1,"services":[{"iid":7,"type":"3E","primary":true,"hidden":false,"linked":[9],\#
            "characteristics":[{"iid":8,"type":"23","format":"string","perms":["pr","ev"],"value":"Lamp","maxLen":64,\#
            "unit":"lux","description":"Name","minValue":0,"maxValue":3,"minStep":1,"valid-values":[0,3],\#
            "valid-values-range":[0,3],"ev":true,"status":0}]}]}],"pid":1,"ttl":2}
            """#
        var record = TraceRecord(.response)
        record.setBody(Array(body.utf8), isSecret: false, showing: [try #require(CharacteristicID(parsing: "1.8"))])
        let sent = try JSONValue(parsing: Array(body.utf8))
        #expect(record.body == sent && !record.line.contains("(hidden)"), "\(record.line)")
    }

    @Test(arguments: [true, false])
    func secretsAndBinaryBodiesAreCountedOnly(isSecret: Bool) {
        var record = TraceRecord(.response)
        record.setBody([0x06, 0x01, 0x02, 0xFF], isSecret: isSecret)
        #expect(record.hiddenBytes == 4)
        #expect(record.body == nil)
        record = TraceRecord(.response)
        record.setBody(Array("{}".utf8), isSecret: true)
        #expect(record.body == nil)
    }

    @Test(arguments: [
        "", "{", "[]", "{}", #"{"kind":"unknown"}"#, #"{"kind":"trace","version":2}"#, #"{"kind":"trace"}"#,
    ])
    func otherLinesAreNotRecords(line: String) {
        #expect(TraceRecord(line: line) == nil)
    }
}
