import AccessoryModel
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
            #expect(try await store.database(alias: "garage") == nil)
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
                #expect(try await store.save(pairing))
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
            #expect(try await store.save(garage))
            #expect(try await store.save(lamp))
            #expect(try await !store.save(thief))
            #expect(try await store.pairings() == [garage, lamp])
            #expect(try await store.save(moved))
            #expect(try await store.pairings() == [moved, lamp])
        }
    }

    @Test(arguments: ControllerStoreUnderTest.allCases)
    func whatIsForgottenIsGoneWithItsDatabase(_ subject: ControllerStoreUnderTest) async throws {
        let garage = try sampleKeptPairing("garage")
        let lamp = try sampleKeptPairing("lamp", device: "00:00:00:00:00:02")
        let database = CachedDatabase(configurationNumber: 7, body: Array("{}".utf8))
        try await subject.run { store async throws in
            _ = try await store.save(garage)
            _ = try await store.save(lamp)
            try await store.save(database, alias: "garage")
            try await store.save(database, alias: "lamp")
            try await store.removePairing(alias: "garage")
            try await store.removePairing(alias: "garage")
            #expect(try await store.pairings() == [lamp])
            #expect(try await store.database(alias: "garage") == nil)
            #expect(try await store.database(alias: "lamp") == database)
            _ = try await store.save(garage)
            #expect(try await store.database(alias: "garage") == nil)
        }
    }

    @Test(arguments: ControllerStoreUnderTest.allCases, [nil, 0, 1, 65_535, .max] as [UInt64?])
    func aDatabaseComesBackAsItWasSaved(_ subject: ControllerStoreUnderTest, number: UInt64?) async throws {
        let bodies: [[UInt8]] = [[], pattern(3, count: 1), pattern(5, count: 300_000)]
        try await subject.run { store async throws in
            _ = try await store.save(try sampleKeptPairing("garage"))
            for body in bodies {
                let database = CachedDatabase(configurationNumber: number, body: body)
                try await store.save(database, alias: "garage")
                #expect(try await store.database(alias: "garage") == database)
            }
            try await store.save(CachedDatabase(configurationNumber: number, body: [1]), alias: "nobody")
            #expect(try await store.database(alias: "nobody") == nil)
        }
    }

    @Test(arguments: ControllerStoreUnderTest.allCases)
    func theDatabaseStaysWithTheKeyAndGoesWithAnother(_ subject: ControllerStoreUnderTest) async throws {
        let database = CachedDatabase(configurationNumber: 7, body: [1])
        try await subject.run { store async throws in
            _ = try await store.save(try sampleKeptPairing("garage"))
            try await store.save(database, alias: "garage")
            _ = try await store.save(try sampleKeptPairing("garage", host: "10.0.0.1"))
            #expect(try await store.database(alias: "garage") == database)
            _ = try await store.save(try sampleKeptPairing("garage", key: 2))
            #expect(try await store.database(alias: "garage") == nil)
        }
    }
}
