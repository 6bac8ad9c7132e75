import AccessoryFiles
import HomeModel
import HomeRuntime
import TestSupport
import Testing

/// Tests the time that loading homes takes.
@Suite struct HomeLoadingTests {
    /// Loading a tenth of the services must take at least a thirtieth of the time.
    ///
    /// In a release build, loading 500 services should take at most 100 ms. The ratio shows, on a machine of any speed,
    /// whether the time grows faster than the home.
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

    /// A stored home with a number of services.
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

        /// Loads the home and returns the time that it took.
        func load() async throws -> Duration {
            let start = ContinuousClock.now
            #expect(try await store.homes().homes == homes)
            return start.duration(to: .now)
        }
    }
}
