import HAPCore
import Testing

struct CharacteristicWriteRequestTests {
    @Test func bodyIsParsedIntoItems() throws {
        let body = """
            {"pid":18446744073709551615,"x":1,"characteristics":[{"aid":1,"iid":10,"value":true,"ev":1,"authData":"AQI=",\
            "remote":true,"r":1,"unknown":{}},{"iid":2,"aid":0,"value":null,"ev":false,"remote":0,"r":false},{"aid":3.0,"iid":4}]}
            """
        let request = try CharacteristicWriteRequest(parsing: Array(body.utf8))
        let address = CharacteristicAddress(aid: 1, iid: 10)
        #expect(
            request
                == CharacteristicWriteRequest(
                    [
                        CharacteristicWriteItem(
                            address,
                            value: true,
                            ev: true,
                            authData: "AQI=",
                            remote: true,
                            r: true
                        ),
                        CharacteristicWriteItem(
                            CharacteristicAddress(aid: 0, iid: 2),
                            value: .null,
                            ev: false,
                            remote: false
                        ),
                        CharacteristicWriteItem(CharacteristicAddress(aid: 3, iid: 4)),
                    ],
                    pid: .max
                )
        )
        #expect(request.items.map(\.authorization) == [.data([1, 2]), .absent, .absent])
    }

    @Test func anEmptyListIsARequest() throws {
        let request = try CharacteristicWriteRequest(parsing: Array(#"{"characteristics":[]}"#.utf8))
        #expect(request.items.isEmpty)
        #expect(request.pid == nil)
        #expect(!request.hasDuplicates)
    }

    @Test(arguments: [
        "", "{}", "[]", "null", "1", #"{"characteristics":{}}"#, #"{"characteristics":null}"#,
        #"{"characteristics":[1]}"#,
        #"{"characteristics":[[]]}"#, #"{"characteristics":[{}]}"#, #"{"characteristics":[{"aid":1}]}"#,
        #"{"characteristics":[{"iid":1}]}"#, #"{"characteristics":[{"aid":"1","iid":1}]}"#,
        #"{"characteristics":[{"aid":-1,"iid":1}]}"#, #"{"characteristics":[{"aid":1.5,"iid":1}]}"#,
        #"{"characteristics":[{"aid":18446744073709551616,"iid":1}]}"#, #"{"characteristics":[{"aid":null,"iid":1}]}"#,
        #"{"characteristics":[{"aid":1,"iid":1,"ev":2}]}"#, #"{"characteristics":[{"aid":1,"iid":1,"ev":"1"}]}"#,
        #"{"characteristics":[{"aid":1,"iid":1,"ev":null}]}"#, #"{"characteristics":[{"aid":1,"iid":1,"authData":1}]}"#,
        #"{"characteristics":[{"aid":1,"iid":1,"remote":[]}]}"#, #"{"characteristics":[{"aid":1,"iid":1,"r":-1}]}"#,
        #"{"characteristics":[{"aid":1,"iid":1,"aid":1}]}"#, #"{"characteristics":[],"pid":-1}"#,
        #"{"characteristics":[],"pid":"1"}"#, #"{"characteristics":[],"pid":null}"#, #"{"characteristics":[]}x"#,
        #"{"characteristics":[],"characteristics":[]}"#, #"{"characteristics":[{"aid":1,"iid":1}"#,
    ])
    func aMalformedBodyIsRefusedAsAWhole(body: String) {
        let error = #expect(throws: ProtocolError.self) { try CharacteristicWriteRequest(parsing: Array(body.utf8)) }
        #expect(error?.code == .json)
    }

    @Test func invalidJSONIsReportedBeforeOtherErrors() {
        #expect {
            try CharacteristicWriteRequest(parsing: Array(#"{"pid":"x","characteristics":[1,{"ev":2}],"pid":1}"#.utf8))
        } throws: { error in
            (error as? ProtocolError)?.description.contains("a key occurs twice") == true
        }
    }

    @Test func anUnknownKeyIsIgnored() throws {
        // A key of combining marks, which a comparison by Unicode's rules would have to sort.
        let marks = String(repeating: "\u{0301}\u{0323}", count: 1_000)
        let body = #"{"\#(marks)":[],"characteristics":[{"aid":1,"\#(marks)":{},"iid":2,"value":1,"aiD":3}]}"#
        let request = try CharacteristicWriteRequest(parsing: Array(body.utf8))
        #expect(request.items == [CharacteristicWriteItem(CharacteristicAddress(aid: 1, iid: 2), value: 1)])
    }

    @Test func numberOfItemsIsLimited() throws {
        func body(_ count: Int) -> [UInt8] {
            let item = CharacteristicWriteItem(
                CharacteristicAddress(aid: 1, iid: 1),
                value: 1,
                ev: true,
                authData: "",
                remote: true,
                r: true
            )
            return CharacteristicWriteRequest(Array(repeating: item, count: count), pid: 1).body
        }
        #expect(try CharacteristicWriteRequest(parsing: body(4096)).items.count == 4096)
        let error = #expect(throws: ProtocolError.self) { try CharacteristicWriteRequest(parsing: body(4097)) }
        #expect(error?.code == .tooLarge)
    }

    @Test(arguments: ["A", "A===", "AB==", "é", "AA= ="])
    func invalidAuthorizationDataAffectsOnlyItsItem(text: String) throws {
        let body = #"{"characteristics":[{"aid":1,"iid":1,"authData":"\#(text)"},{"aid":1,"iid":2}]}"#
        let request = try CharacteristicWriteRequest(parsing: Array(body.utf8))
        #expect(request.items.map(\.authorization) == [.malformed, .absent])
    }

    @Test func duplicateCharacteristicIsDetected() {
        let items = (0..<1000 as Range<UInt64>)
            .map { CharacteristicWriteItem(CharacteristicAddress(aid: $0 / 10, iid: $0 % 10)) }
        #expect(!CharacteristicWriteRequest(items).hasDuplicates)
        #expect(!CharacteristicWriteRequest(Array(items.prefix(1))).hasDuplicates)
        for item in [items[0], items[500], items[999]] {
            #expect(CharacteristicWriteRequest(items + [item]).hasDuplicates)
        }
    }

    @Test func aWrittenBodyIsReadBack() throws {
        let address = CharacteristicAddress(aid: .max, iid: 1)
        let request = CharacteristicWriteRequest(
            [
                CharacteristicWriteItem(address, value: 21.5, ev: true, authData: "AQI=", remote: true, r: true),
                CharacteristicWriteItem(CharacteristicAddress(aid: 1, iid: 2), ev: false, remote: false),
                CharacteristicWriteItem(CharacteristicAddress(aid: 1, iid: 3), value: "a\"b"),
            ],
            pid: 7
        )
        #expect(try CharacteristicWriteRequest(parsing: request.body) == request)
    }

    @Test func aBodyIsWrittenAsControllersDo() {
        let item = CharacteristicWriteItem(CharacteristicAddress(aid: 1, iid: 10), value: true)
        let body = CharacteristicWriteRequest([item]).body
        #expect(String(decoding: body, as: UTF8.self) == #"{"characteristics":[{"aid":1,"iid":10,"value":true}]}"#)
    }
}
