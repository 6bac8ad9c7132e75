import AccessoryModel
import HAPController
import HAPCore
import Testing

/// Tests the behavior that all stores of a controller share.
@Suite struct ControllerStoreTests {
    @Test(arguments: ControllerStoreUnderTest.allCases)
    func aFreshStoreIsEmpty(_ subject: ControllerStoreUnderTest) async throws {
        try await subject.run { store async throws in
            let identity = try await store.identity()
            #expect(identity == nil)
            #expect(try await store.pairings().isEmpty)
            #expect(try await store.database(of: try sampleStoredPairing("garage").pairing) == nil)
        }
    }

    @Test(arguments: ControllerStoreUnderTest.allCases)
    func theFirstIdentityStays(_ subject: ControllerStoreUnderTest) async throws {
        let first = try sampleController()
        let second = try sampleController("other", fill: 0x77)
        try await subject.run { store async throws in
            #expect(try await store.save(first).exposed == first.exposed)
            #expect(try await store.save(second).exposed == first.exposed)
            #expect(try await store.identity()?.exposed == first.exposed)
        }
    }

    @Test(arguments: ControllerStoreUnderTest.allCases)
    func pairingsKeepTheirOrder(_ subject: ControllerStoreUnderTest) async throws {
        let pairings = [
            try sampleStoredPairing("zebra"),
            try sampleStoredPairing("ant", device: "no device ID", key: 2, host: nil, port: nil),
            try sampleStoredPairing("a\u{0}b", device: "00:00:00:00:00:03", host: "fe80::1", port: 65_535),
        ]
        try await subject.run { store async throws in
            for pairing in pairings {
                #expect(try await store.save(pairing) == .saved)
            }
            #expect(try await store.pairings() == pairings)
        }
    }

    @Test(arguments: ControllerStoreUnderTest.allCases)
    func anAccessoryAndAnAliasAreStoredOnce(_ subject: ControllerStoreUnderTest) async throws {
        let garage = try sampleStoredPairing("garage")
        let lamp = try sampleStoredPairing("lamp", device: "00:00:00:00:00:02")
        let thief = try sampleStoredPairing("garage", device: "00:00:00:00:00:03")
        let moved = try sampleStoredPairing("door", host: "10.0.0.1", port: 1)
        try await subject.run { store async throws in
            #expect(try await store.save(garage) == .saved)
            #expect(try await store.save(lamp) == .saved)
            #expect(try await store.save(thief) == .aliasTaken)
            #expect(try await store.pairings() == [garage, lamp])
            #expect(try await store.save(moved) == .saved)
            #expect(try await store.pairings() == [moved, lamp])
        }
    }

    @Test(arguments: ControllerStoreUnderTest.allCases)
    func aRemovedPairingIsGoneWithItsDatabase(_ subject: ControllerStoreUnderTest) async throws {
        let garage = try sampleStoredPairing("garage")
        let lamp = try sampleStoredPairing("lamp", device: "00:00:00:00:00:02")
        let database = CachedDatabase(configurationNumber: 7, body: Array("{}".utf8))
        try await subject.run { store async throws in
            _ = try await store.save(garage)
            _ = try await store.save(lamp)
            try await store.save(database, of: garage.pairing)
            try await store.save(database, of: lamp.pairing)
            try await store.remove(garage.pairing)
            try await store.remove(garage.pairing)
            #expect(try await store.pairings() == [lamp])
            #expect(try await store.database(of: garage.pairing) == nil)
            #expect(try await store.database(of: lamp.pairing) == database)
            _ = try await store.save(garage)
            #expect(try await store.database(of: garage.pairing) == nil)
        }
    }

    @Test(arguments: ControllerStoreUnderTest.allCases, [nil, 0, 1, 65_535, .max] as [UInt64?])
    func aDatabaseIsReadBack(_ subject: ControllerStoreUnderTest, number: UInt64?) async throws {
        let garage = try sampleStoredPairing("garage")
        let bodies: [[UInt8]] = [[], pattern(3, count: 1), pattern(5, count: 300_000)]
        try await subject.run { store async throws in
            _ = try await store.save(garage)
            for body in bodies {
                let database = CachedDatabase(configurationNumber: number, body: body)
                try await store.save(database, of: garage.pairing)
                #expect(try await store.database(of: garage.pairing) == database)
            }
            let unknown = try sampleStoredPairing("unknown", device: "00:00:00:00:00:02").pairing
            try await store.save(CachedDatabase(configurationNumber: number, body: [1]), of: unknown)
            #expect(try await store.database(of: unknown) == nil)
        }
    }

    @Test(arguments: ControllerStoreUnderTest.allCases)
    func theDatabaseSurvivesSavingThePairingAgain(_ subject: ControllerStoreUnderTest) async throws {
        let database = CachedDatabase(configurationNumber: 7, body: [1])
        let garage = try sampleStoredPairing("garage")
        try await subject.run { store async throws in
            _ = try await store.save(garage)
            try await store.save(database, of: garage.pairing)
            _ = try await store.save(try sampleStoredPairing("garage", host: "10.0.0.1"))
            #expect(try await store.database(of: garage.pairing) == database)
        }
    }

    @Test(arguments: ControllerStoreUnderTest.allCases)
    func anIdentifierIsNotStoredWithAnotherKey(_ subject: ControllerStoreUnderTest) async throws {
        let garage = try sampleStoredPairing("garage")
        let impostor = try sampleStoredPairing("shed", key: 2)
        try await subject.run { store async throws in
            _ = try await store.save(garage)
            #expect(try await store.save(impostor) == .differentKey(alias: "garage"))
            #expect(try await store.pairings() == [garage])
            try await store.remove(garage.pairing)
            #expect(try await store.save(impostor) == .saved)
        }
    }

    @Test(arguments: ControllerStoreUnderTest.allCases)
    func anAliasIsChangedUnlessItIsTaken(_ subject: ControllerStoreUnderTest) async throws {
        let garage = try sampleStoredPairing("garage")
        let lamp = try sampleStoredPairing("lamp", device: "00:00:00:00:00:02")
        try await subject.run { store async throws in
            _ = try await store.save(garage)
            _ = try await store.save(lamp)
            #expect(try await store.rename(garage.pairing, to: "lamp") == .aliasTaken)
            #expect(try await store.rename(garage.pairing, to: "garage") == .renamed)
            #expect(try await store.rename(garage.pairing, to: "door") == .renamed)
            #expect(try await store.pairings().map(\.alias) == ["door", "lamp"])
        }
    }

    /// Covers a watch that finds a new address, and a command that reads the database, after the pairing was removed.
    @Test(arguments: ControllerStoreUnderTest.allCases)
    func aStaleWriterDoesNotRestoreARemovedPairing(_ subject: ControllerStoreUnderTest) async throws {
        let garage = try sampleStoredPairing("garage")
        try await subject.run { store async throws in
            _ = try await store.save(garage)
            try await store.remove(garage.pairing)
            try await store.save(host: "10.0.0.1", port: 1, of: garage.pairing)
            try await store.save(CachedDatabase(configurationNumber: 1, body: [1]), of: garage.pairing)
            #expect(try await store.rename(garage.pairing, to: "door") == .notFound)
            #expect(try await store.pairings().isEmpty)
            #expect(try await store.database(of: garage.pairing) == nil)
        }
    }

    /// Covers the same writers after the accessory was reset and paired again, with the same alias and device ID.
    @Test(arguments: ControllerStoreUnderTest.allCases)
    func aStaleWriterDoesNotWriteIntoANewPairingOfTheAlias(_ subject: ControllerStoreUnderTest) async throws {
        let former = try sampleStoredPairing("garage")
        let present = try sampleStoredPairing("garage", key: 2)
        let other = try sampleStoredPairing("lamp", device: "00:00:00:00:00:02")
        try await subject.run { store async throws in
            for pairing in [present, other] {
                _ = try await store.save(pairing)
            }
            try await store.save(host: "10.0.0.1", port: 1, of: former.pairing)
            try await store.save(CachedDatabase(configurationNumber: 1, body: [1]), of: former.pairing)
            #expect(try await store.rename(former.pairing, to: "door") == .notFound)
            try await store.remove(former.pairing)
            #expect(try await store.pairings() == [present, other])
            #expect(try await store.database(of: present.pairing) == nil)
        }
    }

    @Test(arguments: ControllerStoreUnderTest.allCases)
    func savingAnAddressChangesNothingElse(_ subject: ControllerStoreUnderTest) async throws {
        let garage = try sampleStoredPairing("garage")
        try await subject.run { store async throws in
            _ = try await store.save(garage)
            #expect(try await store.rename(garage.pairing, to: "door") == .renamed)
            try await store.save(host: "10.0.0.1", port: 65_535, of: garage.pairing)
            #expect(try await store.pairings() == [try sampleStoredPairing("door", host: "10.0.0.1", port: 65_535)])
        }
    }

    @Test(arguments: ControllerStoreUnderTest.allCases)
    func wrongCodesAreCountedForEachTargetUntilOneIsAccepted(_ subject: ControllerStoreUnderTest) async throws {
        try await subject.run { store async throws in
            #expect(try await store.countWrongCode(at: "10.0.0.1:80") == 1)
            #expect(try await store.countWrongCode(at: "a\u{0}b") == 1)
            #expect(try await store.countWrongCode(at: "10.0.0.1:80") == 2)
            try await store.resetWrongCodes(at: "10.0.0.1:80")
            try await store.resetWrongCodes(at: "unknown")
            #expect(try await store.countWrongCode(at: "10.0.0.1:80") == 1)
            #expect(try await store.countWrongCode(at: "a\u{0}b") == 2)
        }
    }
}
