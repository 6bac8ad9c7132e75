import AccessoryFiles
import HomeModel
import HomeRuntime
import TestSupport
import Testing

/// How long homes take to be there.
@Suite struct HomeLoadingTests {
    /// In a release build 500 services are to take 100 ms at most; this one tells when it grows faster than the home, however
    /// fast the machine is: a tenth of the services is to take a thirtieth of the time at least.
    @Test func loadingCostGrowsWithTheServices() async throws {
        let (small, large) = (try await StoredHouse(services: 50), try await StoredHouse(services: 500))
        var times = (small: Duration.seconds(3_600), large: Duration.seconds(3_600))
        for _ in 0..<5 {
            times.small = min(times.small, try await small.load())
            times.large = min(times.large, try await large.load())
        }
        #expect(times.large < times.small * 30, "\(times)")
        try await small.store.close()
        try await large.store.close()
    }

    /// A home that is kept.
    private struct StoredHouse {
        let store: HomeStateStore
        private let homes: Homes
        private let folder: TemporaryFolder

        init(services count: Int) async throws {
            var text = "home: House\naccessories:\n"
            for number in 0..<count / 2 {
                text += "  - { accessory: A\(number), services: { Lightbulb: L\(number), Fan: F\(number) } }\n"
            }
            let document = try HomeFile.read(Array(text.utf8), name: "home.yaml")
            homes = HomeMerge(document, into: Homes(), known: []).homes
            #expect(homes.primaryHome?.visibleServices.count == count)
            folder = try TemporaryFolder()
            store = try await HomeStateStore.open(folder: folder.state)
            _ = try await store.save(homes, replacing: 0)
        }

        /// How long it takes to read it.
        func load() async throws -> Duration {
            let start = ContinuousClock.now
            #expect(try await store.homes().homes == homes)
            return start.duration(to: .now)
        }
    }
}
