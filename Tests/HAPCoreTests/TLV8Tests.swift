import HAPCore
import TestSupport
import Testing

struct TLV8Tests {
    @Test(arguments: Vectors.all.tlv8.valid)
    func itemsAreReadAsInTheVectors(_ vector: Vectors.TLV8.Valid) throws {
        var reader = TLV8Reader([UInt8](hex: vector.encoded), at: "test")
        for item in vector.items {
            #expect(try reader.next() == TLV8Item(type: item.type, value: [UInt8](hex: item.value)))
        }
        #expect(try reader.next() == nil)
    }

    @Test(arguments: Vectors.all.tlv8.valid)
    func itemsAreWrittenAsInTheVectors(_ vector: Vectors.TLV8.Valid) {
        var writer = TLV8Writer()
        for item in vector.items {
            writer.write([UInt8](hex: item.value), type: item.type)
        }
        #expect(writer.bytes.hex == vector.encoded)
    }

    @Test(arguments: Vectors.all.tlv8.malformed)
    func malformedBytesAreRefused(_ vector: Vectors.TLV8.Malformed) {
        expectMalformed([UInt8](hex: vector.encoded))
    }

    @Test(arguments: [
        "06", "0601", "060102ff", "060102ff01", "03ff", "0601010600", "060101060102", "06010100010006010a",
        "060101ff00ff00", "060101ff0101", "0600ff00" + "0601010601",
    ])
    func truncatedOrRepeatedItemsAreRefused(_ hex: String) {
        expectMalformed([UInt8](hex: hex))
    }

    @Test(arguments: [0, 1, 254, 255, 256, 509, 510, 511, 765, 1_023, 1_024, 1_025])
    func aValueOfAnyLengthIsReadBack(_ count: Int) throws {
        let value = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        var writer = TLV8Writer.message(1)
        writer.write(value, .encryptedData)
        writer.write(7, .permissions)
        #expect(writer.bytes.count == 3 + count + 2 * max(1, (count + 254) / 255) + 3)
        let message = try TLV8Message(writer.bytes, at: "test")
        #expect(message[.encryptedData] == value)
        #expect(try message.byte(.permissions) == 7)
    }

    /// A fragment of 255 bytes is full, and the next item of that type continues it.
    @Test func aFragmentShorterThan255EndsItsValue() {
        expectMalformed([0x03, 254] + [UInt8](repeating: 0, count: 254) + [0x03, 1, 0])
        let full = [0x03, 255] + [UInt8](repeating: 0, count: 255) + [0x03, 1, 0] as [UInt8]
        #expect((try? TLV8Message(full, at: "test"))?[.publicKey]?.count == 256)
    }

    @Test func repeatedUnknownTypesAreIgnored() throws {
        let message = try TLV8Message([UInt8](hex: "7f0101060101" + "7f0102000100" + "7e00"), at: "test")
        #expect(try message.state() == 1)
        #expect(try message.byte(.method) == 0)
    }

    @Test func unknownTypesMustFollowTheFragmentRule() {
        expectMalformed([UInt8](hex: "7f01017f0101"))
    }

    @Test func emptyBytesAreAMessageWithoutItems() throws {
        let message = try TLV8Message([], at: "test")
        #expect(throws: ProtocolError.self) { try message.state() }
    }

    @Test func separatorsDivideTheElementsOfAList() throws {
        let elements = try TLV8Message.list([UInt8](hex: "060102010141ff00010142ff00010143"), at: "test")
        #expect(elements.map { $0[.identifier] } == [[0x41], [0x42], [0x43]])
        #expect(try elements.first?.state() == 2)
    }

    @Test func aRepeatedTypeIsRefusedOutsideAList() throws {
        let bytes = [UInt8](hex: "060102010141ff00010142")
        expectMalformed(bytes)
        #expect(try TLV8Message.list(bytes, at: "test").count == 2)
        #expect(throws: ProtocolError.self) { try TLV8Message.list([UInt8](hex: "060102010141060102"), at: "test") }
    }

    @Test func aSecondIdentifierBeginsAnElementOfAList() throws {
        let elements = try TLV8Message.list([UInt8](hex: "0601020101410b01010101420b0100"), at: "test")
        #expect(elements.map { $0[.identifier] } == [[0x41], [0x42]])
        #expect(elements.map { $0[.permissions] } == [[1], [0]])
    }

    @Test(arguments: [
        ("0600", TLVType.state, 1...1), ("06020101", .state, 1...1), ("000100", .state, 1...1),
        ("0440" + String(repeating: "00", count: 63), .proof, 64...64),
    ])
    func aMissingOrIllSizedItemIsRefused(_ hex: String, type: TLVType, size: ClosedRange<Int>) {
        #expect(throws: ProtocolError.self) {
            try TLV8Message([UInt8](hex: hex), at: "test").bytes(type, size: size)
        }
    }

    @Test(arguments: [
        (TLVType.publicKey, [0, 385]), (.proof, [0, 63, 65]), (.signature, [63, 65]),
        (.encryptedData, [0, 15]), (.identifier, [0, 37]), (.flags, [5, 255]),
    ])
    func typedAccessorsCheckSizes(_ type: TLVType, counts: [Int]) throws {
        for count in counts {
            var writer = TLV8Writer()
            writer.write([UInt8](repeating: 1, count: count), type)
            let message = try TLV8Message(writer.bytes, at: "test")
            #expect(throws: ProtocolError.self, "\(type) of \(count) bytes") {
                switch type {
                case .publicKey: _ = try message.srpPublicKey()
                case .proof: _ = try message.proof()
                case .signature: _ = try message.signature()
                case .encryptedData: _ = try message.encryptedData()
                case .identifier: _ = try message.controllerIdentifier()
                default: _ = try message.flags()
                }
            }
        }
    }

    @Test func truncatedMessagesNeverTrap() throws {
        let whole = [UInt8](hex: Vectors.all.pairSetup.M3)
        for count in 0..<whole.count {
            let cut = try? TLV8Message(Array(whole[..<count]), at: "test")
            #expect(cut?[.proof] == nil)
        }
    }

    private func expectMalformed(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
        let error = #expect(throws: ProtocolError.self, sourceLocation: sourceLocation) {
            try TLV8Message(bytes, at: "test")
        }
        #expect(error?.code == .tlv, sourceLocation: sourceLocation)
    }
}
