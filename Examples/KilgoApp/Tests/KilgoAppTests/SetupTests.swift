import HomeKit
import HomeKitTesting
import KilgoApp
import Testing

/// Tests of an app that begins without a home.
@MainActor
@Suite(.homeSimulator(isPaired: false))
struct SetupTests {
    @Test func withoutHomeTheScreenSaysWhatToDo() async throws {
        let app = try await KilgoFixture()
        #expect(app.list.tiles.isEmpty)
        #expect(app.list.emptyText?.contains("Add an accessory") == true)
        #expect(app.store.home == nil && app.store.isLoaded)
    }

    @Test func beforeTheHomesAreLoadedTheScreenSaysSo() throws {
        let list = TileList(HomeStore(manager: try HomeSimulator.current.manager))
        #expect(list.emptyText == "Loading your home…")
    }

    @Test func addingTheFirstAccessoryShowsItsTiles() async throws {
        let app = try await KilgoFixture()
        try await app.store.addHome(named: "Kilgo House")
        #expect(app.list.title == "Kilgo House")
        #expect(app.list.emptyText?.contains("setup code") == true)
        try await app.store.addAccessory()
        try await app.simulator.settle()
        #expect(app.list.tiles.map(\.state) == ["Closed", "Off"])
        #expect(await app.simulator.accessories.first?.isPaired == true)
    }

    @Test func addedAccessorySendsItsChanges() async throws {
        let app = try await KilgoFixture()
        try await app.store.addHome(named: "Kilgo House")
        try await app.store.addAccessory()
        try await app.perform("set Garage Light/On to on")
        #expect(try app.light.state == "On")
    }

    @Test func homeOfAnotherAppIsShown() async throws {
        let app = try await KilgoFixture()
        let other = try await app.simulator.makeManagerOfAnotherApp()
        _ = try await other.addHome(named: "Other House")
        try await app.simulator.settle()
        #expect(app.list.title == "Other House")
    }

    @Test func withoutHomeNoAccessoryIsAdded() async throws {
        let app = try await KilgoFixture()
        #expect(await failure { try await app.store.addAccessory() }.contains("add one first"))
    }

    @Test func wrongSetupCodeIsExplained() async throws {
        let app = try await KilgoFixture()
        try await app.store.addHome(named: "Kilgo House")
        app.simulator.setupAnswer = { _ in HomeKitSetupAnswer(code: "111-22-333") }
        let message = await failure { try await app.store.addAccessory() }
        #expect(message.contains("check the code"), "\(message)")
        #expect(app.list.tiles.isEmpty)
    }

    @Test func canceledSetupAddsNothing() async throws {
        let app = try await KilgoFixture()
        try await app.store.addHome(named: "Kilgo House")
        app.simulator.setupAnswer = { _ in nil }
        let message = await failure { try await app.store.addAccessory() }
        #expect(message.contains("canceled"), "\(message)")
        #expect(await app.simulator.accessories.first?.isPaired == false)
    }

    @Test func lostAccessoryCannotBeAdded() async throws {
        let app = try await KilgoFixture()
        try await app.store.addHome(named: "Kilgo House")
        try await app.perform("fault networkLoss")
        let message = await failure { try await app.store.addAccessory() }
        #expect(message.contains("check that it is turned on"), "\(message)")
    }

    @Test func invalidNameOfAHomeIsExplained() async throws {
        let app = try await KilgoFixture()
        let message = await failure { try await app.store.addHome(named: "<Home>") }
        #expect(message.contains("letters, digits and spaces"), "\(message)")
        #expect(app.store.home == nil)
    }

    @Test func removedAccessoryCanBeAddedAgain() async throws {
        let app = try await KilgoFixture()
        try await app.store.addHome(named: "Kilgo House")
        try await app.store.addAccessory()
        try await app.simulator.settle()
        try await app.detail(try app.door).remove()
        #expect(app.list.tiles.isEmpty)
        #expect(await app.simulator.accessories.first?.isPaired == false)
        try await app.store.addAccessory()
        try await app.simulator.settle()
        #expect(app.list.tiles.count == 2)
    }
}
