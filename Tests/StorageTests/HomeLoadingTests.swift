import AccessoryFiles
import HomeModel
import TestSupport
import Testing

@testable import Storage

/// How long homes take to be there.
@Suite struct HomeLoadingTests {
    /// In a release build that is to take 100 ms at most; here it is only not to take for ever.
    @Test func aHomeOf500ServicesIsThereSoon() async throws {
        var text = "home: House\naccessories:\n"
        for number in 0..<250 {
            text += "  - { accessory: A\(number), services: { Lightbulb: L\(number), Fan: F\(number) } }\n"
        }
        let document = try HomeFile.read(Array(text.utf8), name: "home.yaml")
        let homes = HomeMerge(document, into: Homes(), known: []).homes
        #expect(homes.primaryHome?.shownServices.count == 500)
        let folder = try TemporaryFolder()
        let store = try await HomeStateStore.open(folder: folder.state)
        _ = try await store.save(homes, replacing: 0)
        let clock = ContinuousClock()
        var fastest = Duration.seconds(3_600)
        for _ in 0..<3 {
            let start = clock.now
            #expect(try await store.homes().homes == homes)
            fastest = min(fastest, clock.now - start)
        }
        #expect(fastest < .seconds(30) * Slowness.factor, "\(fastest)")
        print("A home of 500 services is there after \(fastest).")
        try await store.close()
    }
}
