import HomeKitTesting
import KilgoApp
import Testing

/// Tests of the first screen with a paired garage.
@MainActor
@Suite(.homeSimulator())
struct TileTests {
    @Test func showsOneTileForTheDoorAndOneForTheLight() async throws {
        let app = try await KilgoFixture()
        #expect(app.list.tiles.map(\.name) == ["Garage Door", "Garage Light"])
        #expect(app.list.tiles.map(\.state) == ["Closed", "Off"])
        #expect(app.list.tiles.allSatisfy { $0.isReachable })
        #expect(app.list.title == "Home" && app.list.emptyText == nil)
    }

    @Test func tapOpensTheDoor() async throws {
        let app = try await KilgoFixture()
        await app.list.tap(try app.door.id)
        try await app.simulator.settle()
        #expect(try app.door.state == "Opening")
        try await app.advance(12)
        #expect(try app.door.state == "Open")
    }

    @Test func secondTapClosesTheDoor() async throws {
        let app = try await KilgoFixture()
        await app.list.tap(try app.door.id)
        try await app.advance(12)
        await app.list.tap(try app.door.id)
        try await app.simulator.settle()
        #expect(try app.door.state == "Closing")
        try await app.advance(12)
        #expect(try app.door.state == "Closed")
    }

    @Test func tapInBetweenReversesTheDoor() async throws {
        let app = try await KilgoFixture()
        await app.list.tap(try app.door.id)
        try await app.advance(6)
        await app.list.tap(try app.door.id)
        try await app.advance(5)
        #expect(try app.door.state == "Closing")
        try await app.advance(1)
        #expect(try app.door.state == "Closed")
    }

    @Test func tapTurnsTheLightOnAndOff() async throws {
        let app = try await KilgoFixture()
        await app.list.tap(try app.light.id)
        #expect(try app.light.state == "On")
        await app.list.tap(try app.light.id)
        #expect(try app.light.state == "Off")
    }

    @Test func tapOfTheLightDoesNotMoveTheDoor() async throws {
        let app = try await KilgoFixture()
        await app.list.tap(try app.light.id)
        try await app.advance(60)
        #expect(try app.door.state == "Closed")
    }

    @Test func showsWhatAnotherControllerDoes() async throws {
        let app = try await KilgoFixture()
        try await app.perform("set Target Door State to Open")
        #expect(try app.door.state == "Opening")
        try await app.perform("set Garage Light/On to on")
        #expect(try app.light.state == "On")
    }

    @Test func showsAStoppedDoor() async throws {
        let app = try await KilgoFixture()
        await app.list.tap(try app.door.id)
        try await app.advance(4)
        try await app.perform("stop Garage Door")
        #expect(try app.door.state == "Stopped")
        try await app.advance(60)
        #expect(try app.door.state == "Stopped")
    }

    @Test func obstructedDoorOpensAgain() async throws {
        let app = try await KilgoFixture()
        await app.list.tap(try app.door.id)
        try await app.advance(12)
        await app.list.tap(try app.door.id)
        try await app.advance(6)
        try await app.perform("obstruct Garage Door")
        #expect(try app.door.state == "Opening")
        try await app.advance(6)
        #expect(try app.door.state == "Open")
    }

    @Test func lockedDoorShowsThatATapFailed() async throws {
        let app = try await KilgoFixture()
        try await app.perform("set Lock Target State to Secured")
        try await app.advance(1)
        await app.list.tap(try app.door.id)
        #expect(try app.door.state == "Update error!")
        try await app.advance(12)
        #expect(try app.door.state == "Update error!")
        try await app.perform("set Lock Target State to Unsecured")
        try await app.advance(1)
        await app.list.tap(try app.door.id)
        try await app.simulator.settle()
        #expect(try app.door.state == "Opening")
    }

    @Test func refusedWriteIsShownUntilTheNextTap() async throws {
        let app = try await KilgoFixture()
        try await app.perform("fault status on Garage Light/On times 1")
        await app.list.tap(try app.light.id)
        #expect(try app.light.state == "Update error!")
        await app.list.tap(try app.light.id)
        #expect(try app.light.state == "On")
    }

    @Test func lostAccessoryIsUnreachable() async throws {
        let app = try await KilgoFixture()
        try await app.perform("fault networkLoss")
        #expect(app.list.tiles.map(\.state) == ["Unreachable", "Unreachable"])
        #expect(app.list.tiles.allSatisfy { !$0.isReachable })
    }

    @Test func returningAccessoryShowsWhatHappenedMeanwhile() async throws {
        let app = try await KilgoFixture()
        try await app.perform("fault networkLoss")
        try await app.perform("set Target Door State to Open")
        try await app.advance(12)
        #expect(try app.door.state == "Unreachable")
        try await app.perform("clear networkLoss")
        #expect(try app.door.state == "Open")
    }

    @Test func restartedAccessoryStillSendsItsChanges() async throws {
        let app = try await KilgoFixture()
        try await app.perform("fault reboot away=10s")
        try await app.advance(10)
        #expect(try app.door.state == "Closed")
        try await app.perform("set Target Door State to Open")
        #expect(try app.door.state == "Opening")
    }

    @Test func tapOfALostAccessoryFails() async throws {
        let app = try await KilgoFixture()
        try await app.perform("fault networkLoss")
        await app.list.tap(try app.door.id)
        #expect(try app.door.state == "Update error!")
        try await app.perform("clear networkLoss")
        try await app.advance(12)
        #expect(try app.door.state == "Closed")
    }

    @Test func failureIsNotShownAgainWhenTheStateReturns() async throws {
        let app = try await KilgoFixture()
        try await app.perform("fault status on Garage Door/Target Door State times 1")
        await app.list.tap(try app.door.id)
        #expect(try app.door.state == "Update error!")
        for (target, state) in [("Open", "Open"), ("Closed", "Closed")] {
            try await app.perform("set Target Door State to \(target)")
            try await app.advance(12)
            #expect(try app.door.state == state)
        }
    }

    @Test func observerIsNotifiedOfEachChange() async throws {
        let app = try await KilgoFixture()
        let observer = Observer()
        app.store.addObserver(observer)
        await app.list.tap(try app.light.id)
        #expect(observer.count == 1)
        try await app.perform("set Garage Light/On to off")
        #expect(observer.count == 2)
    }

    @Test(.homeSimulator(.gallery("garage", "thermostat")))
    func showsOnlyAccessoriesOfTheManufacturer() async throws {
        let app = try await KilgoFixture()
        #expect(app.store.home?.accessories.count == 2)
        let manufacturers = Set(app.store.accessories.map(\.manufacturer))
        #expect(manufacturers == [HomeStore.manufacturer])
    }

    @Test(.homeSimulator(.definition(otherLamp)))
    func homeWithoutKilgoAccessoriesIsEmpty() async throws {
        let app = try await KilgoFixture()
        #expect(app.store.home?.accessories.count == 1)
        #expect(app.list.tiles.isEmpty)
        #expect(app.list.emptyText?.contains("no Kilgo accessories") == true)
    }

    @Test(.homeSimulator(.gallery("garage"), .definition(secondDoor)))
    func severalAccessoriesHaveTheirOwnTiles() async throws {
        let app = try await KilgoFixture()
        #expect(app.list.tiles.map(\.name) == ["Garage Door", "Garage Light", "Side Door"])
        await app.list.tap(try #require(app.list.tiles.last).id)
        try await app.simulator.settle()
        #expect(app.list.tiles.map(\.state) == ["Closed", "Off", "Opening"])
    }
}

/// An accessory of another manufacturer.
private let otherLamp = """
    accessory: Desk Lamp
    manufacturer: Other
    services:
      - type: Lightbulb
        characteristics: { On: true }
    """

private let secondDoor = """
    accessory: Side Door
    manufacturer: Kilgo Devices, Inc.
    services:
      - type: GarageDoorOpener
        name: Side Door
        simulate: garageDoor
        characteristics: { CurrentDoorState: Closed, TargetDoorState: Closed, ObstructionDetected: false }
    """

@MainActor
private final class Observer: HomeStoreObserver {
    private(set) var count = 0

    func homeStoreDidUpdate(_ store: HomeStore) { count += 1 }
}
