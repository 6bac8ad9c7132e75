import HomeKit
import HomeKitTesting
import KilgoApp
import Testing

/// Tests of the screen with the name, the room, the model and the firmware.
@MainActor
@Suite(.homeSimulator())
struct DetailTests {
    @Test func showsNameRoomModelAndFirmware() async throws {
        let app = try await KilgoFixture()
        let rows = try app.detail(try app.door).rows
        #expect(rows.map(\.label) == ["Name", "Room", "Model", "Firmware"])
        #expect(rows.map(\.value) == ["Garage Door", "Default Room", "KG-100", "1.0.0"])
    }

    @Test func renamesTheDoorButNotTheLight() async throws {
        let app = try await KilgoFixture()
        try await app.detail(try app.door).rename(to: "Big Door")
        #expect(app.list.tiles.map(\.name) == ["Big Door", "Garage Light"])
    }

    @Test(arguments: [
        ("", "the name is empty: enter one."), ("<Door>", "the name is not allowed"),
        ("Garage Door", "its name already"),
        (String(repeating: "long ", count: 100) + "x", "the name is too long: choose a shorter one."),
    ])
    func nameThatIsNotAllowedIsExplained(name: String, reason: String) async throws {
        let app = try await KilgoFixture()
        let detail = try app.detail(try app.door)
        let message = await failure { try await detail.rename(to: name) }
        #expect(message.contains(reason), "\(message)")
        #expect(try app.door.name == "Garage Door")
    }

    @Test func nameOfTheOtherTileIsTaken() async throws {
        let app = try await KilgoFixture()
        let detail = try app.detail(try app.door)
        let message = await failure { try await detail.rename(to: "Garage Light") }
        #expect(message.contains("is taken"), "\(message)")
    }

    @Test func movesTheAccessoryToANewRoom() async throws {
        let app = try await KilgoFixture()
        try await app.detail(try app.door).move(toRoom: "Garage")
        #expect(app.list.tiles.map(\.room) == ["Garage", "Garage"])
        #expect(try app.detail(try app.light).rooms == ["Garage"])
    }

    @Test func movesTheAccessoryToAnExistingRoom() async throws {
        let app = try await KilgoFixture()
        let room = try await app.store.home?.addRoom(named: "Garage")
        try await app.detail(try app.door).move(toRoom: "garage")
        #expect(app.store.home?.rooms.count == 1)
        #expect(app.store.accessories.first?.room === room)
    }

    @Test func removalUnpairsTheAccessory() async throws {
        let app = try await KilgoFixture()
        #expect(try app.detail(try app.door).siblings == ["Garage Light"])
        try await app.detail(try app.door).remove()
        #expect(app.list.tiles.isEmpty)
        #expect(await app.simulator.accessories.first?.isPaired == false)
    }

    @Test func lostAccessoryCanBeRemoved() async throws {
        let app = try await KilgoFixture()
        try await app.perform("fault networkLoss")
        try await app.detail(try app.door).remove()
        #expect(app.list.tiles.isEmpty)
    }

    @Test func screensOfARemovedAccessoryKnowIt() async throws {
        let app = try await KilgoFixture()
        let door = try app.door
        let (detail, settings) = (try app.detail(door), try app.settings(door))
        #expect(detail.isPresent && settings.isPresent)
        try await detail.remove()
        #expect(!detail.isPresent && !settings.isPresent)
        await app.list.tap(door.id)
        #expect(await failure { try await detail.rename(to: "Big Door") } != "")
    }
}
