import Discovery
import Testing

struct TXTRecordTests {
    @Test func aRecordWithoutItemsIsOneEmptyString() {
        #expect(TXTRecord().wireBytes == [0])
        #expect(TXTRecord(wireBytes: [0]) == TXTRecord())
        #expect(TXTRecord(wireBytes: []) == TXTRecord())
    }

    @Test func keysAreCaseInsensitiveAndKeepTheirCase() {
        let record = TXTRecord(wireBytes: wire("SF=1"))
        #expect(record["sf"] == "1")
        #expect(record.items.map(\.key) == ["SF"])
    }

    @Test(arguments: [
        ([UInt8](), [String]()),
        ([5], []),
        ([2, 0x61], []),
        ([255], []),
        (wire("a=1") + [9, 0x62], ["a=1"]),
        (wire("=x", "a=1"), ["a=1"]),
        (wire("", "", "a=1", ""), ["a=1"]),
        (wire("a=1", "A=2", "a"), ["a=1"]),
        (wire("a"), ["a"]),
        (wire("a="), ["a="]),
        (wire("a=b=c"), ["a=b=c"]),
    ])
    func bytesOfAPeerAreReadAsFarAsTheyAreValid(bytes: [UInt8], items: [String]) {
        let read = TXTRecord(wireBytes: bytes).items
            .map { item in
                item.key + (item.value.map { "=" + String(decoding: $0, as: UTF8.self) } ?? "")
            }
        #expect(read == items)
    }

    @Test func nonTextBytesArePreserved() {
        let record = TXTRecord(wireBytes: [4, 0x61, 0x3D, 0xFF, 0x00])
        #expect(record.items == [TXTRecord.Item(key: "a", value: [0xFF, 0x00])])
        #expect(record.wireBytes == [4, 0x61, 0x3D, 0xFF, 0x00])
    }

    @Test(arguments: [63, 64, 65, 10_000])
    func atMost64ItemsAreRead(count: Int) {
        let bytes = wire((0..<count).map { "k\($0)=v" })
        #expect(TXTRecord(wireBytes: bytes).items.count == min(count, 64))
    }

    @Test func truncatedOrFlippedRecordsDoNotTrap() throws {
        let bytes = try garage().record.text.wireBytes
        for length in 0...bytes.count {
            #expect(TXTRecord(wireBytes: bytes.prefix(length)).items.count <= 9)
        }
        for index in bytes.indices {
            for bit in 0..<8 {
                var damaged = bytes
                damaged[index] ^= 1 << bit
                #expect(TXTRecord(wireBytes: damaged).items.count <= 64)
            }
        }
    }
}

private func wire(_ strings: String...) -> [UInt8] {
    wire(strings)
}

private func wire(_ strings: [String]) -> [UInt8] {
    strings.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
}
