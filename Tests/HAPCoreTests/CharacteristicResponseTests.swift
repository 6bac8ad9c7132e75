import HAPCore
import Testing

struct CharacteristicResponseTests {
    @Test func aWrittenBodyIsReadBack() throws {
        var writer = CharacteristicResponseWriter()
        writer.beginItem(CharacteristicAddress(aid: 1, iid: 10), status: .success)
        writer.json.key(plain: "value")
        writer.json.value("on")
        writer.json.key(plain: "ev")
        writer.json.value(true)
        writer.endItem()
        writer.beginItem(CharacteristicAddress(aid: 2, iid: .max), status: .doesNotExist)
        writer.endItem()
        let body = writer.finish()
        let text =
            #"{"characteristics":[{"aid":1,"iid":10,"status":0,"value":"on","ev":true},"#
            + #"{"aid":2,"iid":18446744073709551615,"status":-70409}]}"#
        #expect(String(decoding: body, as: UTF8.self) == text)
        let response = try CharacteristicResponse(parsing: body)
        #expect(
            response.items == [
                CharacteristicResponse.Item(CharacteristicAddress(aid: 1, iid: 10), status: 0, value: "on", ev: true),
                CharacteristicResponse.Item(CharacteristicAddress(aid: 2, iid: .max), status: -70_409),
            ]
        )
        #expect(response.items.map(\.isSuccess) == [true, false])
    }

    @Test func aBodyWithoutItemsIsAnEmptyList() {
        let body = CharacteristicResponseWriter().finish()
        #expect(String(decoding: body, as: UTF8.self) == #"{"characteristics":[]}"#)
    }

    @Test func responsesAreReadLeniently() throws {
        let body = """
            {"characteristics":[{"aid":1,"iid":2,"value":null,"status":null},{"iid":3},7,{"aid":1.0,"iid":4,"status":5,"x":[]},
            {"aid":"1","iid":2}],"more":1}
            """
        let response = try CharacteristicResponse(parsing: Array(body.utf8))
        #expect(
            response.items == [
                CharacteristicResponse.Item(CharacteristicAddress(aid: 1, iid: 2), value: .null),
                CharacteristicResponse.Item(CharacteristicAddress(aid: 1, iid: 4), status: 5),
            ]
        )
        #expect(response.status == nil)
    }

    @Test(
        arguments: [
            (#"{"characteristics":[{"status":0}]}"#, [0]),
            (#"{"characteristics":[{"status":0},{"status":-70402}]}"#, [0, -70_402]),
            (#"{"characteristics":[{"aid":1}]}"#, []), (#"{"characteristics":[{"status":0},{"aid":1,"iid":2}]}"#, []),
        ] as [(String, [Int64])]
    )
    func statusesAreReadIfNoItemHasIDs(body: String, statuses: [Int64]) throws {
        #expect(try CharacteristicResponse(parsing: Array(body.utf8)).statusesWithoutIDs == statuses)
    }

    @Test func aTrailingCommaIsIgnored() throws {
        let body = #"{"characteristics":[{"aid":1,"iid":10,"value":40,},],}"#
        let response = try CharacteristicResponse(parsing: Array(body.utf8))
        #expect(response.items == [CharacteristicResponse.Item(CharacteristicAddress(aid: 1, iid: 10), value: 40)])
    }

    @Test func overallStatusIsRead() throws {
        let response = try CharacteristicResponse(parsing: StatusBody.bytes(of: .busy))
        #expect(response.status == -70_403)
        #expect(response.items.isEmpty)
    }

    @Test(arguments: [
        ("-70402", -70_402), ("-70402.0", -70_402), (#""-70410""#, -70_410), ("true", -70_402), ("[]", -70_402),
        ("{}", -70_402), (#""x""#, -70_402), ("99999999999999999999", -70_402), ("1.5", -70_402), ("null", nil),
    ])
    func presentStatusIsNeverTreatedAsSuccess(_ json: String, _ status: Int64?) throws {
        let body = #"{"characteristics":[{"aid":1,"iid":9,"status":\#(json)}]}"#
        #expect(try CharacteristicResponse(parsing: Array(body.utf8)).items.map(\.status) == [status])
    }

    @Test func anEmptyBodyHasNoItems() throws {
        #expect(try CharacteristicResponse(parsing: []).items.isEmpty)
    }

    @Test(arguments: ["x", "[]", "1", "{", "{}}"])
    func nonObjectIsRefused(body: String) {
        #expect(throws: ProtocolError.self) { try CharacteristicResponse(parsing: Array(body.utf8)) }
    }
}
