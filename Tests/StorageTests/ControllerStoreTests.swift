import AccessoryModel
import HAPController
import HAPCore
import Testing

/// What every store of a controller does.
@Suite struct ControllerStoreTests {
    @Test(arguments: ControllerStoreUnderTest.allCases)
    func aFreshStoreIsEmpty(_ subject: ControllerStoreUnderTest) async throws {
        try await subject.run { store async throws in
            let identity = try await store.identity()
            #expect(identity == nil)
            #expect(try await store.pairings().isEmpty)
            #expect(try await store.database(of: try sampleKeptPairing("garage").pairing) == nil)
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
    func pairingsComeBackInTheirOrder(_ subject: ControllerStoreUnderTest) async throws {
        let pairings = [
            try sampleKeptPairing("zebra"),
            try sampleKeptPairing("ant", device: "no device ID", key: 2, host: nil, port: nil),
            try sampleKeptPairing("a\u{0}b", device: "00:00:00:00:00:03", host: "fe80::1", port: 65_535),
        ]
        try await subject.run { store async throws in
            for pairing in pairings {
                #expect(try await store.keep(pairing) == .kept)
            }
            #expect(try await store.pairings() == pairings)
        }
    }

    @Test(arguments: ControllerStoreUnderTest.allCases)
    func anAccessoryIsKeptOnceAndAnAliasBelongsToOne(_ subject: ControllerStoreUnderTest) async throws {
        let garage = try sampleKeptPairing("garage")
        let lamp = try sampleKeptPairing("lamp", device: "00:00:00:00:00:02")
        let thief = try sampleKeptPairing("garage", device: "00:00:00:00:00:03")
        let moved = try sampleKeptPairing("door", host: "10.0.0.1", port: 1)
        try await subject.run { store async throws in
            #expect(try await store.keep(garage) == .kept)
            #expect(try await store.keep(lamp) == .kept)
            #expect(try await store.keep(thief) == .aliasTaken)
            #expect(try await store.pairings() == [garage, lamp])
            #expect(try await store.keep(moved) == .kept)
            #expect(try await store.pairings() == [moved, lamp])
        }
    }

    @Test(arguments: ControllerStoreUnderTest.allCases)
    func whatIsForgottenIsGoneWithItsDatabase(_ subject: ControllerStoreUnderTest) async throws {
        let garage = try sampleKeptPairing("garage")
        let lamp = try sampleKeptPairing("lamp", device: "00:00:00:00:00:02")
        let database = CachedDatabase(configurationNumber: 7, body: Array("{}".utf8))
        try await subject.run { store async throws in
            _ = try await store.keep(garage)
            _ = try await store.keep(lamp)
            try await store.save(database, of: garage.pairing)
            try await store.save(database, of: lamp.pairing)
            try await store.remove(garage.pairing)
            try await store.remove(garage.pairing)
            #expect(try await store.pairings() == [lamp])
            #expect(try await store.database(of: garage.pairing) == nil)
            #expect(try await store.database(of: lamp.pairing) == database)
            _ = try await store.keep(garage)
            #expect(try await store.database(of: garage.pairing) == nil)
        }
    }

    @Test(arguments: ControllerStoreUnderTest.allCases, [nil, 0, 1, 65_535, .max] as [UInt64?])
    func aDatabaseComesBackAsItWasSaved(_ subject: ControllerStoreUnderTest, number: UInt64?) async throws {
        let garage = try sampleKeptPairing("garage")
        let bodies: [[UInt8]] = [[], pattern(3, count: 1), pattern(5, count: 300_000)]
        try await subject.run { store async throws in
            _ = try await store.keep(garage)
            for body in bodies {
                let database = CachedDatabase(configurationNumber: number, body: body)
                try await store.save(database, of: garage.pairing)
                #expect(try await store.database(of: garage.pairing) == database)
            }
            let nobody = try sampleKeptPairing("nobody", device: "00:00:00:00:00:02").pairing
            try await store.save(CachedDatabase(configurationNumber: number, body: [1]), of: nobody)
            #expect(try await store.database(of: nobody) == nil)
        }
    }

    @Test(arguments: ControllerStoreUnderTest.allCases)
    func theDatabaseStaysWithTheKey(_ subject: ControllerStoreUnderTest) async throws {
        let database = CachedDatabase(configurationNumber: 7, body: [1])
        let garage = try sampleKeptPairing("garage")
        try await subject.run { store async throws in
            _ = try await store.keep(garage)
            try await store.save(database, of: garage.pairing)
            _ = try await store.keep(try sampleKeptPairing("garage", host: "10.0.0.1"))
            #expect(try await store.database(of: garage.pairing) == database)
        }
    }

    @Test(arguments: ControllerStoreUnderTest.allCases)
    func anIdentifierIsNotKeptWithAnotherKey(_ subject: ControllerStoreUnderTest) async throws {
        let garage = try sampleKeptPairing("garage")
        let impostor = try sampleKeptPairing("shed", key: 2)
        try await subject.run { store async throws in
            _ = try await store.keep(garage)
            #expect(try await store.keep(impostor) == .otherKey(alias: "garage"))
            #expect(try await store.pairings() == [garage])
            try await store.remove(garage.pairing)
            #expect(try await store.keep(impostor) == .kept)
        }
    }

    @Test(arguments: ControllerStoreUnderTest.allCases)
    func anAliasIsChangedUnlessItIsTaken(_ subject: ControllerStoreUnderTest) async throws {
        let garage = try sampleKeptPairing("garage")
        let lamp = try sampleKeptPairing("lamp", device: "00:00:00:00:00:02")
        try await subject.run { store async throws in
            _ = try await store.keep(garage)
            _ = try await store.keep(lamp)
            #expect(try await store.rename(garage.pairing, to: "lamp") == .aliasTaken)
            #expect(try await store.rename(garage.pairing, to: "garage") == .renamed)
            #expect(try await store.rename(garage.pairing, to: "door") == .renamed)
            #expect(try await store.pairings().map(\.alias) == ["door", "lamp"])
        }
    }

    /// A watch that found a new address, and a command that read the database, after the pairing was removed.
    @Test(arguments: ControllerStoreUnderTest.allCases)
    func aLateWriterDoesNotBringBackWhatWasRemoved(_ subject: ControllerStoreUnderTest) async throws {
        let garage = try sampleKeptPairing("garage")
        try await subject.run { store async throws in
            _ = try await store.keep(garage)
            try await store.remove(garage.pairing)
            try await store.save(host: "10.0.0.1", port: 1, of: garage.pairing)
            try await store.save(CachedDatabase(configurationNumber: 1, body: [1]), of: garage.pairing)
            #expect(try await store.rename(garage.pairing, to: "door") == .gone)
            #expect(try await store.pairings().isEmpty)
            #expect(try await store.database(of: garage.pairing) == nil)
        }
    }

    /// The same after the accessory was reset and paired anew, under the same name and device ID.
    @Test(arguments: ControllerStoreUnderTest.allCases)
    func aLateWriterDoesNotWriteIntoAnotherPairingOfItsName(_ subject: ControllerStoreUnderTest) async throws {
        let former = try sampleKeptPairing("garage")
        let present = try sampleKeptPairing("garage", key: 2)
        let other = try sampleKeptPairing("lamp", device: "00:00:00:00:00:02")
        try await subject.run { store async throws in
            for pairing in [present, other] {
                _ = try await store.keep(pairing)
            }
            try await store.save(host: "10.0.0.1", port: 1, of: former.pairing)
            try await store.save(CachedDatabase(configurationNumber: 1, body: [1]), of: former.pairing)
            #expect(try await store.rename(former.pairing, to: "door") == .gone)
            try await store.remove(former.pairing)
            #expect(try await store.pairings() == [present, other])
            #expect(try await store.database(of: present.pairing) == nil)
        }
    }

    @Test(arguments: ControllerStoreUnderTest.allCases)
    func aPlaceIsKeptAndNothingElseChanges(_ subject: ControllerStoreUnderTest) async throws {
        let garage = try sampleKeptPairing("garage")
        try await subject.run { store async throws in
            _ = try await store.keep(garage)
            #expect(try await store.rename(garage.pairing, to: "door") == .renamed)
            try await store.save(host: "10.0.0.1", port: 65_535, of: garage.pairing)
            #expect(try await store.pairings() == [try sampleKeptPairing("door", host: "10.0.0.1", port: 65_535)])
        }
    }

    @Test(arguments: ControllerStoreUnderTest.allCases)
    func wrongCodesAreCountedForEachTargetUntilOneIsAccepted(_ subject: ControllerStoreUnderTest) async throws {
        try await subject.run { store async throws in
            #expect(try await store.countWrongCode(at: "10.0.0.1:80") == 1)
            #expect(try await store.countWrongCode(at: "a\u{0}b") == 1)
            #expect(try await store.countWrongCode(at: "10.0.0.1:80") == 2)
            try await store.forgetWrongCodes(at: "10.0.0.1:80")
            try await store.forgetWrongCodes(at: "nobody")
            #expect(try await store.countWrongCode(at: "10.0.0.1:80") == 1)
            #expect(try await store.countWrongCode(at: "a\u{0}b") == 2)
        }
    }
}
