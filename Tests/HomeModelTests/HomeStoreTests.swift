import AccessoryModel
import HomeModel
import Testing

/// Tests rules that apply to every store.
struct HomeStoreTests {
    /// A store that refuses every save with a conflict, as if it contained newer homes of these versions in turn.
    private actor ConflictingStore: HomeStore {
        private var versions: [UInt64]
        private(set) var attempts = 0

        init(_ versions: [UInt64]) {
            self.versions = versions
        }

        func homes() -> StoredHomes { StoredHomes(Homes(), version: 7) }

        func save(_ homes: Homes, replacing version: UInt64) throws(HomeStoreError) -> UInt64 {
            attempts += 1
            let newer = versions.isEmpty ? version : versions.removeFirst()
            throw .conflict(StoredHomes(Homes(), version: newer))
        }
    }

    /// A store in memory that counts how often it is read.
    private actor CountingStore: HomeStore {
        private var stored = StoredHomes(Homes(), version: 7, lastPresenceChange: 3)
        private(set) var reads = 0

        func homes() -> StoredHomes {
            reads += 1
            return stored
        }

        func save(_ homes: Homes, replacing version: UInt64) throws(HomeStoreError) -> UInt64 {
            stored.homes = homes
            stored.version = version + 1
            return stored.version
        }
    }

    @Test
    func anUpdateReturnsTheStoredHomesAfterOneRead() async throws {
        let store = CountingStore()
        for name in try [ObjectName("House"), ObjectName("House")] {
            // The second update changes nothing.
            let (_, homes) = try await store.updateAndReturnHomes { homes throws(HomeError) in
                if homes.homes.isEmpty { _ = try homes.addHome(named: name) }
            }
            #expect(homes.version == 8)
            #expect(homes.lastPresenceChange == 3)
            #expect(homes.homes.homes.map(\.name) == [name])
            let reads = await store.reads
            #expect(await store.homes() == homes)
            #expect(reads % 2 == 1)
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: [([], 1), ([8, 9], 3)] as [([UInt64], Int)])
    func aStoreThatAlwaysConflictsIsNotRetriedForever(_ versions: [UInt64], attempts: Int) async throws {
        let store = ConflictingStore(versions)
        let name = try ObjectName("House")
        let error = await #expect(throws: HomeStoreError.self) {
            try await store.update { homes throws(HomeError) in try homes.addHome(named: name) }
        }
        guard case .conflict? = error else { throw MomentError(text: "\(error, default: "nothing")") }
        #expect(await store.attempts == attempts)
    }
}
