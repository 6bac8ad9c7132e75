import HAPCore
import Testing

struct CharacteristicReadRequestTests {
    @Test(
        arguments: [
            ("id=1.10", [(1, 10)], []), ("id=1.10,1.11,1.10", [(1, 10), (1, 11)], []),
            ("id=2.1,1.9,2.1,1.8,1.9,1.9", [(2, 1), (1, 9), (1, 8)], []), ("id=1.9,1.9", [(1, 9)], []),
            ("id=0.0", [(0, 0)], []), ("id=18446744073709551615.18446744073709551615", [(.max, .max)], []),
            ("meta=1&perms=1&id=1.2&type=1&ev=1", [(1, 2)], [.meta, .perms, .type, .ev]),
            ("id=1.2&meta=true&perms=false&type=0", [(1, 2)], .meta), ("id=1.2&other=x&&junk&=&=9", [(1, 2)], []),
            ("&id=1.2&", [(1, 2)], []), ("id=1%2E2%2c3.4", [(1, 2), (3, 4)], []), ("%69d=1.2%26ev=1", [(1, 2)], .ev),
            ("id=01.002", [(1, 2)], []), ("other=1&other=1&id=1.2", [(1, 2)], []),
        ] as [(String, [(UInt64, UInt64)], ReadOptions)]
    )
    func queryIsParsed(query: String, addresses: [(UInt64, UInt64)], options: ReadOptions) throws {
        let request = try CharacteristicReadRequest(query: Array(query.utf8))
        #expect(request.addresses == addresses.map { CharacteristicAddress(aid: $0.0, iid: $0.1) })
        #expect(request.options == options)
    }

    @Test(arguments: [
        "", "id", "id=", "id=,", "id=1", "id=1.", "id=.1", "id=1.2,", "id=,1.2", "id=1.2,,3.4", "id=1.2.3", "id=a.b",
        "id=1.a",
        "id=-1.2", "id=+1.2", "id=1.2 ", "id= 1.2", "id=1.2;3.4", "id=18446744073709551616.1",
        "id=1.18446744073709551616",
        "id=1.99999999999999999999999999", "id=1.2&id=1.2", "id=1.2&meta=1&meta=1", "id=1.2&ev=0&ev=0", "id=1.2&meta",
        "id=1.2&meta=",
        "id=1.2&meta=2", "id=1.2&ev=TRUE", "id=1.2&ev=01", "ev=1", "ID=1.2", "id=1.2%", "id=1.2%2", "id=1.2%zz", "%",
        "id=1.2&x=%G0", "id=1.2=",
    ])
    func aBadQueryIsRefused(query: String) {
        let error = #expect(throws: ProtocolError.self) { try CharacteristicReadRequest(query: Array(query.utf8)) }
        #expect(error?.code == .http)
    }

    @Test func numberOfCharacteristicsIsLimited() throws {
        func query(_ count: Int) -> [UInt8] {
            CharacteristicReadRequest((0..<UInt64(count)).map { CharacteristicAddress(aid: 1, iid: $0) }).query
        }
        #expect(try CharacteristicReadRequest(query: query(4096)).addresses.count == 4096)
        let error = #expect(throws: ProtocolError.self) { try CharacteristicReadRequest(query: query(4097)) }
        #expect(error?.code == .tooLarge)
    }

    @Test(arguments: 0..<16 as Range<UInt8>)
    func writtenQueryIsReadBack(options: UInt8) throws {
        let addresses = [CharacteristicAddress(aid: 1, iid: 10), CharacteristicAddress(aid: .max, iid: 0)]
        let request = CharacteristicReadRequest(addresses, options: ReadOptions(rawValue: options))
        #expect(try CharacteristicReadRequest(query: request.query) == request)
    }

    @Test func zeroIsNotAValidID() {
        #expect(CharacteristicAddress(aid: 0, iid: 1).id == nil)
        #expect(CharacteristicAddress(aid: 1, iid: 0).id == nil)
        #expect(CharacteristicAddress(aid: 1, iid: 2).id == CharacteristicID(1, 2))
    }
}
