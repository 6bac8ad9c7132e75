import HAPCore
import Testing

struct SetupPayloadTests {
    @Test func everyVectorIsWrittenAndReadBack() throws {
        let vectors = try SetupVectors.load().setupPayload
        #expect(!vectors.isEmpty)
        for vector in vectors {
            var flags: SetupPayload.Flags = []
            if vector.ip { flags.insert(.ip) }
            if vector.ble { flags.insert(.ble) }
            if vector.paired { flags.insert(.paired) }
            let category = try #require(AccessoryCategory(vector.category))
            let payload: SetupPayload
            if let code = vector.setupCode.flatMap({ SetupCode($0) }), let id = vector.setupID.flatMap({ SetupID($0) })
            {
                payload = SetupPayload(setupCode: code, setupID: id, category: category, flags: flags)
            } else {
                payload = SetupPayload(category: category, flags: flags)
            }
            #expect(payload.number == vector.integer)
            #expect(payload.text == vector.payload)
            #expect(SetupPayload(parsing: vector.payload) == payload)
            #expect(SetupPayload(parsing: vector.payload.lowercased()) == payload)
        }
    }

    @Test func thePayloadOfAPairedAccessoryContainsItsCode() throws {
        let code = try #require(SetupCode("518-08-582"))
        let id = try #require(SetupID("7OSX"))
        let category = try #require(AccessoryCategory(7))
        let payload = SetupPayload(setupCode: code, setupID: id, category: category, flags: [.ip, .paired])
        #expect(payload.text == "X-HM://00739MG3K0000")
        #expect(payload.setupCode == nil)
    }

    @Test(arguments: [
        "", "X-HM://", "X-HM://0071WK4SM7OS", "X-HM://0071WK4SM7OSXX", "X-HM:/00071WK4SM7OSX", "Y-HM://0071WK4SM7OSX",
        "X-HM://0071WK4S-7OSX", "X-HM://0071WK4SM7OS-", "X-HM://0071WK4SMéOS", " X-HM://0071WK4SM7OSX",
        "X-HM://ZZZZZZZZZ7OSX",
    ])
    func aMalformedPayloadIsRefused(text: String) {
        #expect(SetupPayload(parsing: text) == nil)
    }

    @Test(
        arguments: [
            (7 << 31 | 2 << 27 | 12_345_678, "a forbidden code"),
            (7 << 31 | 2 << 27 | 99_999_999, "eight equal digits"),
            (7 << 31 | 2 << 27 | 100_000_000, "more than eight digits"), (7 << 31 | 2 << 27 | 0x7FF_FFFF, "27 ones"),
            (2 << 27 | 51_808_582, "no category"), (1 << 43 | 7 << 31 | 2 << 27 | 51_808_582, "version 1"),
            (1 << 46 | 7 << 31 | 2 << 27 | 51_808_582, "47 bits"),
        ] as [(UInt64, String)]
    )
    func anUndefinedNumberIsRefused(number: UInt64, reason: String) {
        #expect(SetupPayload(parsing: Self.text(of: number)) == nil, "\(reason)")
    }

    @Test func reservedBitsAreIgnored() {
        let plain = SetupPayload(parsing: Self.text(of: 7 << 31 | 2 << 27 | 51_808_582))
        #expect(plain != nil)
        #expect(SetupPayload(parsing: Self.text(of: 0b1111 << 39 | 7 << 31 | 1 << 30 | 2 << 27 | 51_808_582)) == plain)
    }

    @Test func aPayloadDoesNotPrintItsCode() throws {
        let payload = try #require(SetupPayload(parsing: "X-HM://0071WK4SM7OSX"))
        #expect(payload.setupCode?.text == "518-08-582")
        #expect(!"\(payload)".contains("518"))
    }

    @Test func hashesMatchTheVectors() throws {
        let vectors = try SetupVectors.load().setupHash
        #expect(!vectors.isEmpty)
        for vector in vectors {
            let id = try #require(SetupID(vector.setupID))
            let hash = SetupHash(setupID: id, deviceID: try #require(DeviceID(vector.deviceID)))
            #expect(hash.text == vector.sh)
            #expect(
                hash.bytes
                    == stride(from: 0, to: 8, by: 2)
                    .map { start in
                        UInt8(vector.hash.dropFirst(start).prefix(2), radix: 16)
                    }
            )
        }
    }

    private static func text(of number: UInt64) -> String {
        let digits = String(number, radix: 36, uppercase: true)
        return "X-HM://" + String(repeating: "0", count: 9 - digits.count) + digits + "7OSX"
    }
}
