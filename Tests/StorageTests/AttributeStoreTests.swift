import AccessoryModel
import Foundation
import HAPCore
import Testing

@Suite struct AttributeStoreTests {
    @Test(arguments: StoreUnderTest.allCases)
    func aFreshStoreHasTheRecordOfAFirstStart(_ subject: StoreUnderTest) async throws {
        try await subject.run { store async throws in
            #expect(try await store.attributes() == AttributeRecord())
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func idsUpToTheMaximumAreReadBack(_ subject: StoreUnderTest) async throws {
        var map = IdentifierMap()
        for number in [1, UInt64(Int64.max), UInt64(Int64.max) + 1, .max - 1, .max] {
            let aid = try #require(AccessoryID(number))
            map.record(aid, forAccessory: "accessory \(number)")
            map.record(try #require(InstanceID(number)), forObject: "3E/name", in: aid)
            map.record(.accessoryInformation, forObject: "3E", in: aid)
        }
        try await subject.run { store async throws in
            try await store.save(map, ConfigurationRecord())
            #expect(try await store.attributes().identifiers == map)
        }
    }

    @Test(
        arguments: StoreUnderTest.allCases,
        [
            "", "0", "007", "1e3", "O'Hara\"; DROP TABLE server; --", "Gärage 🚪", "\u{0}", "a\u{0}b", "a", " a ",
            "\u{FFFD}",
        ]
    )
    func keysAndPathsMayBeAnyText(_ subject: StoreUnderTest, text: String) async throws {
        var map = IdentifierMap()
        map.record(.primary, forAccessory: text)
        map.record(.primary, forAccessory: "other")
        map.record(.accessoryInformation, forObject: text, in: .primary)
        try await subject.run { store async throws in
            try await store.save(map, ConfigurationRecord())
            #expect(try await store.attributes().identifiers == map)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func savingReplacesIDsAndConfiguration(_ subject: StoreUnderTest) async throws {
        var first = IdentifierMap()
        first.record(.primary, forAccessory: "a")
        first.record(.accessoryInformation, forObject: "3E", in: .primary)
        var second = first
        second.record(try #require(InstanceID(7)), forObject: "41", in: .primary)
        var third = IdentifierMap()
        third.record(try #require(AccessoryID(5)), forAccessory: "a")
        try await subject.run { store async throws in
            for (number, map) in zip([UInt16(1), 2, .max], [first, second, third]) {
                let configuration = ConfigurationRecord(
                    number: number,
                    digest: pattern(UInt8(number & 0xFF), count: 64)
                )
                for _ in 1...2 {
                    try await store.save(map, configuration)
                    #expect(
                        try await store.attributes() == AttributeRecord(identifiers: map, configuration: configuration)
                    )
                }
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func anEmptyDigestIsStored(_ subject: StoreUnderTest) async throws {
        try await subject.run { store async throws in
            try await store.save(IdentifierMap(), ConfigurationRecord(number: 9, digest: [1]))
            try await store.save(IdentifierMap(), ConfigurationRecord(number: 8))
            #expect(try await store.attributes().configuration == ConfigurationRecord(number: 8))
        }
    }

    static let values: [CharacteristicValue] = [
        true, false,
        .number(.unsigned(0)), .number(.unsigned(1)), .number(.unsigned(UInt64(Int64.max))),
        .number(.unsigned(UInt64(Int64.max) + 1)), .number(.unsigned(.max)),
        .number(.negative(-1)), .number(.negative(.min)),
        .number(.real(0.1)), .number(.real(-0.5)), .number(.real(1e300)), .number(.real(.leastNonzeroMagnitude)),
        .number(.real(-.greatestFiniteMagnitude)), .number(.real(1.8446744073709552e19)),
        "", "text", "12", "1.0", "Gärage 🚪", "\u{0}", "a\u{0}b", .string(String(repeating: "ä", count: 1_024)),
        .data([]), .data([0]), .data(Array("12".utf8)), .data(pattern(0, count: 1_024)),
    ]

    @Test(arguments: StoreUnderTest.allCases)
    func valuesOfEveryKindAreReadBack(_ subject: StoreUnderTest) async throws {
        var saved: [CharacteristicID: CharacteristicValue] = [:]
        for (position, value) in Self.values.enumerated() {
            saved[try id(.max - UInt64(position), UInt64(position) + 1)] = value
        }
        try await subject.run { store async throws in
            try await store.save(saved)
            let stored = try await store.attributes().values
            #expect(stored == saved)
            // Strings that are canonically equivalent are equal in Swift, so the bytes are compared, too.
            for (id, value) in saved {
                #expect(stored[id]?.string.map { Array($0.utf8) } == value.string.map { Array($0.utf8) })
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func aValueReplacesOnlyThatOfItsCharacteristic(_ subject: StoreUnderTest) async throws {
        let saved = try id(1, 9)
        let other = try id(9, 1)
        try await subject.run { store async throws in
            try await store.save([saved: "off", other: 50])
            for value in Self.values {
                try await store.save([saved: value])
                #expect(try await store.attributes().values == [saved: value, other: 50])
            }
            try await store.save([:])
            #expect(try await store.attributes().values.count == 2)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func valuesSurviveNewIDs(_ subject: StoreUnderTest) async throws {
        let saved = try id(1, 9)
        try await subject.run { store async throws in
            try await store.save([saved: 7])
            try await store.save(IdentifierMap(), ConfigurationRecord(number: 2))
            #expect(try await store.attributes().values == [saved: 7])
        }
    }
}
